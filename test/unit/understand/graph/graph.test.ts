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
  assert.deepEqual(readGraph(source, answer), {
    nodes: [
      { id: '1', label: 'Ann Lee', type: 'Person', properties: [{ key: 'employer', value: 'The Paper' }] },
      { id: '2', label: 'The Paper', type: 'Organization', properties: [{ key: 'topic', value: 'bridge' }] },
    ],
    edges: [{ source: '1', target: '2', relation: 'worksFor' }],
  });
  for (const nonsense of [undefined, null, 'x', [], { nodes: {}, edges: 1 }]) {
    assert.deepEqual(readGraph(source, nonsense), { nodes: [], edges: [] });
  }
});
