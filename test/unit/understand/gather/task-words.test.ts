// What a prompt and a schema say about where to look, and which links and pages fit them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksOf, placeInSeries } from '../../../../src/understand/gather/page-links.ts';
import { scoreLinks, scorePages } from '../../../../src/understand/gather/relevance.ts';
import { listsIn, planOf } from '../../../../src/understand/gather/task-words.ts';

test('the words of a prompt are searched without those that only ask, and sites in it are found', () => {
  const plan = planOf({ prompt: 'Find all members of the Quay Singers on www.quay-singers.org and https://a.test/x.' });
  assert.deepEqual(plan.sites, ['www.quay-singers.org', 'https://a.test/x']);
  assert.equal(plan.query, 'members quay singers');
  assert.equal(plan.isList, false);
  assert.deepEqual(planOf({ prompt: 'Which version of config.toml and Node.js 18.2 is meant? e.g. this' }).sites, []);
});

test('without a prompt, the names of the fields are what is looked for', () => {
  const schema = { type: 'object', properties: { productName: { type: 'string' }, price: { type: 'number' } } };
  assert.equal(planOf({ schema }).query, 'product name price');
});

test('a prompt is about the given pages if it says nothing but which fields are wanted', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' }, openingHours: { type: 'string' } } };
  const isAboutUrls = (prompt: string) => planOf({ prompt, schema }).isAboutUrls;
  for (const prompt of [
    '',
    'Find the title',
    'What is the title of the front page of http://a.test/?',
    'opening hours',
  ])
    assert.ok(isAboutUrls(prompt), prompt);
  for (const prompt of ['The title of the book by Ada Writer', 'opening hours of the library'])
    assert.ok(!isAboutUrls(prompt), prompt);
});

test('lists of objects are found at the top and in properties, through references', () => {
  const row = { type: 'object', properties: { a: { type: 'string' } } };
  const inside = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { $ref: '#/$defs/row' } },
      tags: { type: 'array', items: { type: 'string' } },
    },
    $defs: { row },
  };
  assert.deepEqual(
    listsIn(inside).map(({ path }) => path),
    ['rows'],
  );
  assert.deepEqual(
    listsIn({ type: 'array', items: row }).map(({ path }) => path),
    [''],
  );
});

test('a link that names what is asked for comes before others, also by its address alone', () => {
  const links = [
    { url: 'https://a.test/about', title: 'About us' },
    { url: 'https://a.test/p/17', title: 'Fjellstue 4' },
    { url: 'https://a.test/tents/fjellstue-3' },
    { url: 'https://a.test/contact' },
  ];
  const scores = scoreLinks({ prompt: 'What does the tent Fjellstue 4 cost?' }, links).map(({ score }) => score);
  assert.ok(scores[1]! > scores[2]! && scores[2]! > scores[3]!);
  assert.equal(scores[3], 0);
});

test('the page about the thing fits better than a page that mentions it', () => {
  const page = (title: string, markdown: string) => ({ url: 'https://a.test/x', title, markdown, links: [] });
  const [about, mention] = scorePages({ prompt: 'Length of the Tern Bridge' }, [
    page('Tern Bridge', '# Tern Bridge\n\nIt is 142 metres long.'),
    page('News', '# News\n\nA cat sat on the Tern Bridge. Then it rained. The library opens on Sundays.'),
  ]);
  assert.ok(about!.score > mention!.score && about!.named > mention!.named);
});

test('links have their texts and what stands around them, and further pages of a list are found', () => {
  const { links, series } = linksOf({
    url: 'https://a.test/list?sort=name',
    markdown:
      '- [![a picture](https://a.test/1.png) The first](https://a.test/first#top) costs 5 euros\n\n[x](https://a.test/pic.png)',
    links: [
      'https://a.test/list?sort=name',
      'https://a.test/imprint',
      'https://a.test/list?page=3&sort=name',
      'https://a.test/list?sort=name&page=2',
      'https://a.test/list?sort=price&page=2',
    ],
    next: ['https://a.test/list?sort=name&page=2'],
  });
  assert.equal(links[0]?.title, 'a picture The first');
  assert.match(links[0]?.description ?? '', /costs 5 euros/);
  assert.ok(links[0]?.isContent && !links.find(({ url }) => url.endsWith('/imprint'))?.isContent);
  assert.ok(!links.some(({ url }) => url.endsWith('.png')));
  assert.deepEqual(series, ['https://a.test/list?sort=name&page=2', 'https://a.test/list?page=3&sort=name']);
});

test('pages of one list are told apart from pages of other things', () => {
  const key = (url: string) => placeInSeries(url)?.key;
  assert.equal(key('https://a.test/news'), key('https://a.test/news/page/2'));
  assert.equal(key('https://a.test/news'), key('https://a.test/news?seite=4'));
  assert.notEqual(key('https://a.test/item/2'), key('https://a.test/item/3'));
  assert.notEqual(key('https://a.test/item?id=2'), key('https://a.test/item?id=3'));
});

test('a text full of brackets does not take long', () => {
  const markdown = '[![['.repeat(100_000);
  assert.equal(linksOf({ url: 'https://a.test/', markdown, links: [] }).links.length, 0);
});
