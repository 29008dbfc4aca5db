// One answer from many pages: agreement, contradictions, lists over several pages, and where each value stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourcePage, WeightedPage } from '../../../../src/understand/gather/gathered.ts';
import { mergePages } from '../../../../src/understand/gather/merge.ts';

const text = { type: 'string' };
const number = { type: 'number' };

function page(
  url: string,
  json: unknown,
  weight = 1,
  more: Partial<SourcePage> & { isNamed?: boolean; isMeant?: boolean } = {},
): WeightedPage {
  const { isNamed = false, isMeant = false, ...rest } = more;
  return { page: { url, markdown: '', links: [], json, ...rest }, weight, isNamed, isMeant };
}

const PRODUCT = {
  type: 'object',
  properties: { name: text, price: number, maker: text },
  required: ['name', 'price', 'maker'],
};

test('a field has the value that most pages agree on, by their weights, and a missing one stays missing', () => {
  const { value, problems, sources, contradictions } = mergePages(
    PRODUCT,
    [
      page('https://a.test/', { name: 'Lamp', price: 20 }, 0.6),
      page('https://b.test/', { name: 'LAMP', price: 25 }, 0.5),
      page('https://c.test/', { price: 25 }, 0.5),
    ],
    [],
  );
  assert.deepEqual(value, { name: 'Lamp', price: 25 });
  assert.deepEqual(problems, ['`maker` is missing']);
  assert.deepEqual(sources, {
    name: ['https://a.test/', 'https://b.test/'],
    price: ['https://b.test/', 'https://c.test/'],
  });
  assert.equal(contradictions.length, 1);
  assert.match(contradictions[0]!, /`price`: 25 \(https:\/\/b\.test\/\), 20 \(https:\/\/a\.test\/\)/);
});

test('what the page says that is meant wins, and other pages add what it lacks', () => {
  const meant = { isNamed: true, isMeant: true };
  const { value, contradictions } = mergePages(
    PRODUCT,
    [
      page('https://a.test/b', { name: 'Map', price: 25, maker: 'Borg' }),
      page('https://a.test/', { name: 'Lamp', maker: 'Ada' }, 0.3, meant),
    ],
    [],
  );
  assert.deepEqual([value, contradictions], [{ name: 'Lamp', price: 25, maker: 'Ada' }, []]);
});

test('a field that is named like something that every object has is missing unless a page says it', () => {
  for (const name of ['constructor', 'toString', 'valueOf', '__proto__']) {
    const schema = { type: 'object', properties: { name: text, [name]: text }, required: ['name', name] };
    const { value, problems } = mergePages(schema, [page('https://a.test/', { name: 'Lamp' })], []);
    assert.deepEqual([value, problems], [{ name: 'Lamp' }, [`\`${name}\` is missing`]]);
    const said = JSON.parse(`{"name": "Lamp", "${name}": "Ada"}`) as object;
    const found = mergePages(schema, [page('https://a.test/', said)], []);
    assert.equal(JSON.stringify(found.value), JSON.stringify(said));
  }
});

test('a citation is kept only if its text stands in the page', () => {
  const markdown = '# Lamp\n\n20 euros';
  const citation = (quote: string, start: number) => ({
    url: 'https://a.test/',
    text: quote,
    start,
    end: start + quote.length,
  });
  const citations = { 'json.name': citation('Lamp', 2), 'json.price': citation('30', 8) };
  const merged = mergePages(
    PRODUCT,
    [page('https://a.test/', { name: 'Lamp', price: 30 }, 1, { markdown, citations })],
    [],
  );
  assert.deepEqual(Object.keys(merged.citations), ['name']);
  assert.equal(markdown.slice(merged.citations.name!.start, merged.citations.name!.end), 'Lamp');
});

const TEAM = {
  type: 'object',
  properties: {
    members: { type: 'array', items: { type: 'object', properties: { name: text, role: text, email: text } } },
  },
};
const members = (...names: string[]) => ({ members: names.map((name) => ({ name, role: `role of ${name}` })) });

test('the pages of one list are united, a row that stands on two of them once', () => {
  const citations = { 'json.members[0].name': { url: 'https://a.test/team?page=2', text: 'Bo', start: 0, end: 2 } };
  const merged = mergePages(
    TEAM,
    [
      page('https://a.test/team', members('Ada', 'Bo'), 1),
      page('https://a.test/team?page=2', members('Bo', 'Cy'), 0.01, { markdown: 'Bo and Cy', citations }),
    ],
    [],
  );
  assert.deepEqual(merged.value, members('Ada', 'Bo', 'Cy'));
  assert.deepEqual(merged.sources['members[1].name'], ['https://a.test/team', 'https://a.test/team?page=2']);
  assert.deepEqual(merged.sources['members[2].name'], ['https://a.test/team?page=2']);
});

test('a list that stands beside the content of many pages is not the list that was asked for', () => {
  const related = members('Ad one', 'Ad two', 'Ad three');
  const merged = mergePages(
    TEAM,
    [
      page('https://a.test/ada', related, 1),
      page('https://a.test/bo', related, 1),
      page('https://a.test/cy', related, 1),
      page('https://a.test/team', members('Ada', 'Bo', 'Cy'), 0.9),
    ],
    [],
  );
  assert.deepEqual(merged.value, members('Ada', 'Bo', 'Cy'));
});

test('pages about the rows add what the list does not say, and nothing of another row', () => {
  const list = { members: [{ name: 'Ada' }, { name: 'Bo' }] };
  const detail = (name: string, json: unknown) => ({
    name,
    page: { url: `https://a.test/${name}`, markdown: '', links: [], json },
  });
  const merged = mergePages(
    TEAM,
    [page('https://a.test/team', list)],
    [detail('Bo', { name: 'Bo Li', role: 'cook', email: 'bo@a.test' }), detail('Zed', { name: 'Zed', role: 'nobody' })],
  );
  assert.deepEqual(merged.value, { members: [{ name: 'Ada' }, { name: 'Bo', role: 'cook', email: 'bo@a.test' }] });
  assert.deepEqual(merged.sources['members[1].email'], ['https://a.test/Bo']);
});

test('a schema that is a list is merged like a list inside of an object', () => {
  const merged = mergePages(
    {
      type: 'array',
      items: { $ref: '#/$defs/row' },
      $defs: { row: { type: 'object', properties: { id: text, n: number } } },
    },
    [
      page('https://a.test/l?page=1', [{ id: 'x', n: 1 }]),
      page('https://a.test/l?page=2', [
        { id: 'x', n: 1 },
        { id: 'y', n: 2 },
      ]),
    ],
    [],
  );
  assert.deepEqual(merged.value, [
    { id: 'x', n: 1 },
    { id: 'y', n: 2 },
  ]);
  assert.deepEqual(merged.sources['[1].n'], ['https://a.test/l?page=2']);
});

test('long lists take time in proportion to their length', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ name: at % 2 === 0 ? 'same' : `n${at}`, role: `${at}` }));
  const merged = mergePages(
    TEAM,
    [page('https://a.test/l?page=1', { members: rows }), page('https://a.test/l?page=2', { members: rows })],
    [],
  );
  assert.equal((merged.value as { members: unknown[] }).members.length, 2_000);
});
