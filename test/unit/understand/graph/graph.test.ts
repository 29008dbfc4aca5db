// The entities of a page and how they relate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledgeGraph } from '../../../../src/contracts/formats/knowledge-graph.ts';
import { entityGraph } from '../../../../src/understand/graph/entity-graph.ts';
import { readGraph } from '../../../../src/understand/graph/read-graph.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const HTML =
  jsonLd({
    '@graph': [
      {
        '@type': 'NewsArticle',
        '@id': '#a',
        headline: 'A bridge opens',
        author: { '@type': 'Person', name: 'Ann Lee' },
        publisher: { '@id': '#p' },
        about: '#b',
      },
      {
        '@type': ['Organization', 'NewsMediaOrganization'],
        '@id': '#p',
        name: 'The Paper',
        founder: { '@type': 'Person', name: 'Ann  Lee' },
      },
    ],
  }) +
  '<div itemscope itemtype="https://schema.org/Place"><b itemprop="name">Bath</b><i itemprop="geo" itemscope><u itemprop="latitude">51</u></i></div>';
const graphOf = (types?: string[]) => entityGraph(pageSource(HTML, 'https://paper.test/a'), types);

test('items are nodes, properties that name an item are edges, equal entities are one', () => {
  const graph = graphOf();
  assert.deepEqual(knowledgeGraph.parse(graph), graph);
  assert.deepEqual(
    graph.nodes.map(({ id, label, type }) => [id, label, type]),
    [
      ['https://paper.test/a#a', 'A bridge opens', 'NewsArticle'],
      ['Person:ann-lee', 'Ann Lee', 'Person'],
      ['https://paper.test/a#p', 'The Paper', 'Organization'],
      ['Place:bath', 'Bath', 'Place'],
    ],
  );
  assert.deepEqual(
    graph.edges.map(({ source, relation, target }) =>
      [source, relation, target].map((text) => text.replace('https://paper.test/a', '')),
    ),
    [
      ['#a', 'author', 'Person:ann-lee'],
      ['#p', 'founder', 'Person:ann-lee'],
      ['#a', 'publisher', '#p'],
    ],
  );
  assert.deepEqual(graph.nodes.at(-1)?.properties, [{ key: 'geo.latitude', value: '51' }]);
});

test('types are filtered in any case, by every type of an entity, and every edge keeps both ends', () => {
  const graph = graphOf(['person', 'NEWSMEDIAORGANIZATION']);
  assert.deepEqual(
    graph.nodes.map(({ label }) => label),
    ['Ann Lee', 'The Paper'],
  );
  assert.deepEqual(
    graph.edges.map(({ relation }) => relation),
    ['founder'],
  );
  assert.deepEqual(graphOf(['Recipe']), { nodes: [], edges: [] });
});

test('of what a model answers, only what stands on the page and fits together is kept', () => {
  const source = pageSource('', 'https://paper.test/a', '# A bridge opens\n\nAnn Lee works for **The Paper**.');
  const answer = {
    nodes: [
      {
        id: '1',
        label: 'Ann Lee',
        type: 'Person',
        properties: [
          { key: 'employer', value: 'The Paper' },
          { key: 'age', value: '42' },
        ],
      },
      { id: '2', label: 'The Paper', type: 'Organization' },
      { id: '2', label: 'The Paper', type: 'Organization', properties: [{ key: 'topic', value: 'bridge' }] },
      { id: '3', label: 'Invented Corp', type: 'Organization' },
      { id: 4, label: null },
      'nonsense',
    ],
    edges: [
      { source: '1', target: '2', relation: 'worksFor' },
      { source: '1', target: '3', relation: 'owns' },
      { source: '1' },
    ],
  };
  const { graph, leftOut } = readGraph(source, answer);
  assert.deepEqual(graph, {
    nodes: [
      { id: '1', label: 'Ann Lee', type: 'Person', properties: [{ key: 'employer', value: 'The Paper' }] },
      { id: '2', label: 'The Paper', type: 'Organization', properties: [{ key: 'topic', value: 'bridge' }] },
    ],
    edges: [{ source: '1', target: '2', relation: 'worksFor' }],
  });
  assert.deepEqual(leftOut, [
    'An entry of `knowledgeGraph.nodes` and an entry of `knowledgeGraph.nodes[].properties` were left out: they do not stand on the page.',
  ]);
  for (const nonsense of [undefined, null, 'x', [], { nodes: {}, edges: 1 }]) {
    assert.deepEqual(readGraph(source, nonsense), { graph: { nodes: [], edges: [] }, leftOut: [] });
  }
});

const SITE = '<meta property="og:site_name" content="Kiln & Clay">';
const card = (name: string, role: string) => `<div class="card"><img src="/a.jpg"><h3>${name}</h3><p>${role}</p></div>`;
const peopleIn = (html: string) => {
  const { nodes, edges } = entityGraph(pageSource(SITE + html, 'https://kiln.test/team'));
  return {
    people: nodes
      .filter(({ type }) => type === 'Person')
      .map(({ label, properties }) => [label, properties?.find(({ key }) => key === 'jobTitle')?.value]),
    edges: edges.map(({ source, relation, target }) => `${source} ${relation} ${target}`),
  };
};

test('cards, items and rows with a name and a role are people, who work for whom the page calls its team', () => {
  const cards = card('Annegret Trossau', 'Vertriebsleiterin') + card('Kofi Mensah', 'Werkstatt') + card('Li Na', 'CEO');
  assert.deepEqual(peopleIn(`<h1>Unser Team</h1>${cards}`), {
    people: [
      ['Annegret Trossau', 'Vertriebsleiterin'],
      ['Kofi Mensah', 'Werkstatt'],
      ['Li Na', 'CEO'],
    ],
    edges: ['annegret-trossau', 'kofi-mensah', 'li-na'].map((id) => `Person:${id} worksFor Organization:kiln-clay`),
  });
  const item = (name: string, role: string) => `<li><strong>${name}</strong><br>${role}</li>`;
  const items = item('Zoë Marlowe', 'Chief Executive Officer') + item('Tomasz Bąk', 'Technician');
  const list = peopleIn(`<h1>About us</h1><h2>Leadership</h2><ul>${items}</ul>`);
  assert.deepEqual(list.people, [
    ['Zoë Marlowe', 'Chief Executive Officer'],
    ['Tomasz Bąk', 'Technician'],
  ]);
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = row('Ana Roux', 'Directrice') + row('Jean Petit', 'Comptable') + row('Luc Roy', 'Stagiaire');
  const table = peopleIn(`<h1>Équipe</h1><table><tr><th>Nom</th><th>Fonction</th></tr>${rows}</table>`);
  assert.deepEqual([table.people.length, table.edges.length], [3, 3]);
  const japanese = card('山田 太郎', '代表取締役') + card('佐藤 花子', 'デザイナー') + card('鈴木 一郎', 'エンジニア');
  assert.equal(peopleIn(`<h1>メンバー</h1>${japanese}`).people.length, 3);
});

test('a person of a team whom the data of the page names stays one', () => {
  const person = { '@type': 'Person', '@id': '#kofi', name: 'Kofi Mensah', jobTitle: 'Founder' };
  const cards = card('Kofi Mensah', 'Founder') + card('Lea Brandt', 'Manager') + card('Ida Lund', 'Engineer');
  const { people, edges } = peopleIn(`${jsonLd(person)}<h1>Our team</h1>${cards}`);
  assert.deepEqual(
    people.map(([name]) => name),
    ['Kofi Mensah', 'Lea Brandt', 'Ida Lund'],
  );
  assert.ok(edges.includes('https://kiln.test/team#kofi worksFor Organization:kiln-clay'));
});

test('customers are no employees; products, vacancies and departments are no people', () => {
  const customers =
    card('Anna Bauer', 'CEO, Acme') + card('Peter Smith', 'Director, Bar') + card('Jane Doe', 'Manager');
  const quoted = peopleIn(`<h1>Our team and friends</h1><h2>What customers say</h2>${customers}`);
  assert.deepEqual([quoted.people.length, quoted.edges], [3, []]);
  const products =
    card('Aurora Trail', 'Designer bag') + card('Mistral Wireless', 'Headset') + card('Harbour Wool', 'Rug');
  assert.deepEqual(peopleIn(`<h1>Team collection</h1>${products}`).people, []);
  const jobs = card('Senior Engineer', 'Berlin') + card('Platform Developer', 'Kiel') + card('Studio Lead', 'Rome');
  assert.deepEqual(peopleIn(`<h1>Join the team</h1>${jobs}`).people, []);
  const teas = card('Green Jasmine', 'Assistant to a calm evening') + card('Black Assam', 'Coach of the morning');
  assert.deepEqual(peopleIn(`<h1>Teas</h1>${teas}${card('White Peony', 'Partner of cakes')}`).people, []);
});
