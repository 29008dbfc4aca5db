// Ingesting changes: link texts that come and go, pages that are reindexed, and transactions that fail.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createIndex, type Index } from '../../../../src/index/create-index.ts';
import { openIndexFile } from '../../../../src/index/index-file.ts';
import { readEntry } from '../../../../src/index/ingest/read-entry.ts';
import { bytesOf, changeOf, queryOf, type SamplePage, searchOf } from '../../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

interface Opened {
  index: Index;
  database: DatabaseSync;
  feed(...pages: (SamplePage | string)[]): Promise<void>;
  find(words: string): string[];
  rows(sql: string): unknown[];
}

function open(t: TestContext): Opened {
  let database!: DatabaseSync;
  const index = openIndexFile(join(temporaryFolder(t), 'index.db'), (opened) => {
    database = opened;
    return createIndex(opened, (error) => {
      throw error;
    });
  });
  t.after(() => index.close());
  return {
    index,
    database,
    feed: (...pages) => index.apply(pages.map((page, i) => changeOf(page, index.applied() + i + 1))),
    find: (words) => index.web(searchOf(queryOf(words), { limit: 100 })).map(({ url }) => url),
    rows: (sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
  };
}

const TARGET = 'https://target.example/';
const source = (i: number, text: string): SamplePage => ({
  url: `https://h${i}.example/`,
  links: [{ url: TARGET, text }],
});

test('a page gets its first link text, and further ones whenever their number has doubled', async (t) => {
  const { feed, find, rows } = open(t);
  await feed({ url: TARGET, body: 'x' });
  const counts: unknown[] = [];
  for (let i = 1; i <= 8; i++) {
    await feed(source(i, `text${i}`));
    counts.push(rows('SELECT anchors FROM docs WHERE id = 1').flat()[0]);
  }
  assert.deepEqual(counts, [1, 2, 2, 4, 4, 4, 4, 8], 'still the same doc');
  for (let i = 1; i <= 8; i++) assert.deepEqual(find(`text${i}`), [TARGET]);
  assert.deepEqual(rows('SELECT * FROM again'), []);
});

test('link texts that were added to a page survive a restart, and leave with the pages that linked', async (t) => {
  const file = join(temporaryFolder(t), 'index.db');
  const openFile = () =>
    openIndexFile(file, (opened) =>
      createIndex(opened, (error) => {
        throw error;
      }),
    );
  let index = openFile();
  t.after(() => index.close());
  const find = (words: string) => index.web(searchOf(queryOf(words))).map(({ url }) => url);
  const feed = (...pages: (SamplePage | string)[]) =>
    index.apply(pages.map((page, i) => changeOf(page, index.applied() + i + 1)));
  await feed({ url: TARGET, body: 'x' });
  await feed(source(1, 'pinniped atlas'), source(2, 'walrus'));
  await index.close();
  index = openFile();
  assert.deepEqual([find('pinniped'), find('walrus')], [[TARGET], [TARGET]]);
  await feed('https://h1.example/');
  assert.deepEqual([find('pinniped'), find('walrus')], [[], [TARGET]]);
});

test('pages beyond the reindexing limit of one call are reindexed by later calls', async (t) => {
  const { feed, find, index } = open(t);
  const targets = Array.from({ length: 250 }, (_, i) => `https://t${i}.example/`);
  await feed(...targets.map((url) => ({ url, body: 'x' })));
  await feed({ url: 'https://hub.example/', links: targets.map((url) => ({ url, text: 'pinniped' })) });
  for (let turn = 0; turn < 50 && find('pinniped').length < 100; turn++) await index.apply([]);
  assert.equal(index.stats().pages, 251);
  for (let turn = 0; turn < 50; turn++) await index.apply([]);
  const found = index.web(searchOf(queryOf('pinniped'), { limit: 1_000 }));
  assert.equal(found.length, 250);
});

test('the same link on many pages of a host is one row, removed with the last of them', async (t) => {
  const { feed, rows } = open(t);
  const pages = [1, 2, 3].map((i) => ({ url: `https://a.example/${i}`, links: [{ url: TARGET, text: 'Home' }] }));
  await feed(...pages);
  assert.deepEqual(rows('SELECT text, pages FROM links'), [['Home', 3]]);
  await feed(pages[0]!.url, pages[1]!);
  assert.deepEqual(rows('SELECT text, pages FROM links'), [['Home', 2]]);
  await feed(pages[1]!.url, pages[2]!.url);
  assert.deepEqual(rows('SELECT text, pages FROM links'), []);
});

test('a removed page leaves nothing behind', async (t) => {
  const { feed, rows, index } = open(t);
  await feed({
    url: 'https://a.example/',
    title: 'Secret',
    body: 'secret words',
    links: [{ url: TARGET, text: 'secret link' }],
    images: [{ url: 'https://a.example/secret.png', alt: 'secret', caption: '' }],
  });
  await feed('https://a.example/');
  for (const table of ['docs', 'texts', 'links', 'anchors', 'again'])
    assert.deepEqual(rows(`SELECT * FROM ${table}`), [], table);
  assert.deepEqual(rows(`SELECT rowid FROM fts WHERE fts MATCH 'secret'`), []);
  assert.equal(index.stats().images, 0);
});

test('a failed transaction changes nothing, and the same changes can be applied again', async (t) => {
  const { feed, find, index, database } = open(t);
  await feed({ url: 'https://a.example/', body: 'seal' });
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON texts BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  await assert.rejects(feed({ url: 'https://b.example/', body: 'seal' }, { url: 'https://a.example/', body: 'otter' }));
  assert.equal(index.applied(), 1);
  assert.deepEqual(find('seal'), ['https://a.example/']);
  assert.deepEqual(find('otter'), []);
  database.exec('DROP TRIGGER full');
  await feed({ url: 'https://b.example/', body: 'seal' }, { url: 'https://a.example/', body: 'otter' });
  assert.deepEqual([find('seal'), find('otter')], [['https://b.example/'], ['https://a.example/']]);
  assert.equal(index.stats().pages, 2);
});

test('two spellings of a URL are two pages that share their link texts', async (t) => {
  const { feed, find, index } = open(t);
  await feed({ url: 'http://target.example/', body: 'one' }, { url: TARGET, body: 'two' }, source(1, 'pinniped'));
  assert.deepEqual(find('pinniped').sort(), ['http://target.example/', TARGET]);
  await feed('http://target.example/');
  assert.deepEqual(find('pinniped'), [TARGET]);
  assert.equal(index.stats().pages, 2);
});

test('a malformed entry is read with every field within its limits', () => {
  const entry = readEntry(
    bytesOf({
      title: ' a \n b ',
      body: 'x'.repeat(300_000),
      headings: '\ud800',
      language: 'english',
      countries: ['DE', 'de', 7, 'AT'],
      publishedAt: 1e300,
      fetchedAt: 12.7,
      fileType: '../x',
      quality: 7,
      links: [
        null,
        { url: 'https://a.example/', text: 5 },
        { text: 'x' },
        ...Array(500).fill({ url: 'https://b.example/' }),
      ],
      images: [{ url: 'https://a.example/i.png', width: -1, height: 3.4, alt: null }, 'x'],
      simhash: 'nonsense',
    }),
  );
  assert.equal(entry.title, 'a b');
  assert.equal(entry.body.length, 200_000);
  assert.ok(entry.headings.isWellFormed());
  assert.deepEqual(
    [entry.language, entry.countries, entry.publishedAt, entry.fetchedAt],
    ['', ['DE', 'AT'], undefined, 12],
  );
  assert.deepEqual([entry.fileType, entry.quality, entry.simhash], ['html', 1, '']);
  assert.ok(entry.links.length <= 300);
  assert.deepEqual(entry.links[0], { url: 'https://a.example/', text: '' });
  assert.deepEqual(entry.images, [
    { url: 'https://a.example/i.png', width: undefined, height: 3, alt: '', caption: '' },
  ]);
});

test('a page that links to itself can be added, changed and removed', async (t) => {
  const { feed, find, rows } = open(t);
  const page = { url: TARGET, body: 'seal', links: [{ url: TARGET, text: 'pinniped' }] };
  await feed(page);
  await feed({ ...page, links: [] });
  assert.deepEqual([find('seal'), find('pinniped')], [[TARGET], []]);
  await feed(page);
  await feed(TARGET);
  for (const table of ['docs', 'links', 'again']) assert.deepEqual(rows(`SELECT * FROM ${table}`), [], table);
});

test('the number of pages of a host with the same link survives a restart', async (t) => {
  const file = join(temporaryFolder(t), 'index.db');
  const openAgain = () => openIndexFile(file, (database) => createIndex(database, assert.ifError));
  const page = (i: number) => ({ url: `https://a.example/${i}`, links: [{ url: TARGET, text: 'pinniped' }] });
  const first = openAgain();
  for (let i = 1; i <= 3; i++) await first.apply([changeOf(page(i), i)]);
  await first.close();
  const second = openAgain();
  t.after(() => second.close());
  await second.apply([changeOf({ url: TARGET, body: 'x' }, 4), changeOf('https://a.example/1', 5)]);
  const found = () => second.web(searchOf(queryOf('pinniped'))).map(({ url }) => url);
  assert.deepEqual(found(), [TARGET]);
  await second.apply([changeOf('https://a.example/2', 6), changeOf('https://a.example/3', 7)]);
  assert.deepEqual(found(), []);
});
