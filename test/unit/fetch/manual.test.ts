// The manual as pages: which URLs are its chapters, and that no other file can be read through them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { createManual } from '../../../src/fetch/manual.ts';
import { systemClock } from '../../../src/util/clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-manual-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, '1-start.md'), '# Start\n');
writeFileSync(join(folder, '2-more.md'), '# More\n');
writeFileSync(join(folder, 'openapi.json'), '{}');

const BASE = 'http://127.0.0.1:3002';
const manual = (base: string | undefined = BASE) =>
  createManual({ folder, baseUrl: () => base, clock: { ...systemClock, now: () => 1_000 } });
const fetchAt = (url: string) => manual().fetch({ url: new URL(url) } as FetchRequest, AbortSignal.timeout(1_000));

test('chapters have URLs and change with their text', async () => {
  const before = await manual().chapters();
  assert.deepEqual(
    before.map(({ url }) => url),
    [`${BASE}/docs/1-start.md`, `${BASE}/docs/2-more.md`],
  );
  assert.deepEqual(
    await manual().urls(),
    before.map(({ url }) => url),
  );
  writeFileSync(join(folder, '2-more.md'), '# More and more\n');
  const [start, more] = await manual().chapters();
  assert.equal(start!.hash, before[0]!.hash);
  assert.notEqual(more!.hash, before[1]!.hash);
});

test('the list of contents has titles and sizes, in the order of the chapters', async () => {
  writeFileSync(join(folder, '10-last.md'), 'No title\n');
  const contents = await manual().contents();
  assert.deepEqual(
    contents.map(({ name, title }) => [name, title]),
    [
      ['1-start.md', 'Start'],
      ['2-more.md', 'More and more'],
      ['10-last.md', '10-last.md'],
    ],
  );
  assert.equal(contents[0]!.bytes, 8);
});

test('a chapter can be read without the ending of its file', async () => {
  assert.deepEqual(await manual().read('1-start'), await manual().read('1-start.md'));
});

test('there are no chapters before the service knows its own URL', async () => {
  const early = createManual({ folder, baseUrl: () => undefined, clock: systemClock });
  assert.deepEqual(await early.chapters(), []);
  assert.equal(early.has(new URL(`${BASE}/docs/1-start.md`)), false);
});

test('only chapter URLs belong to the manual', () => {
  const has = (url: string) => manual().has(new URL(url));
  assert.ok(has(`${BASE}/docs/1-start.md`));
  // A chapter URL belongs to the manual even if the chapter does not exist.
  assert.ok(has(`${BASE}/docs/9-none.md`));
  for (const url of [
    `${BASE}/`,
    `${BASE}/docs/`,
    `${BASE}/docs/openapi.json`,
    `${BASE}/docs/1-start.md?x`,
    `${BASE}/docs/1-start.md#part`,
    `${BASE}/docs/..%2fsecret.md`,
    `${BASE}/docs/a/b.md`,
    `${BASE}/docs/../v2/x.md`,
    `${BASE}/DOCS/1-start.md`,
    'https://127.0.0.1:3002/docs/1-start.md',
    'http://127.0.0.1:3003/docs/1-start.md',
    'http://user@127.0.0.1:3002/docs/1-start.md',
    'http://127.0.0.1:3002.evil.test/docs/1-start.md',
  ]) {
    assert.equal(URL.canParse(url) && has(url), false, url);
  }
});

test('the path of a base URL is kept', () => {
  const behind = manual('https://example.com/trawl');
  assert.ok(behind.has(new URL('https://example.com/trawl/docs/1-start.md')));
  assert.equal(behind.has(new URL('https://example.com/docs/1-start.md')), false);
});

test('a chapter is returned as a page', async () => {
  const page = await fetchAt(`${BASE}/docs/1-start.md`);
  assert.equal(Buffer.from(page.bytes).toString(), '# Start\n');
  assert.deepEqual(
    [page.status, page.contentType, page.finalUrl, page.fetchedAt, page.engine],
    [200, 'text/markdown; charset=utf-8', `${BASE}/docs/1-start.md`, 1_000, 'manual'],
  );
  await assert.rejects(fetchAt(`${BASE}/docs/9-none.md`), { code: 'SCRAPE_SITE_ERROR' });
});

test('no other file can be read', async () => {
  for (const name of [
    'openapi.json',
    '../package.json',
    '..',
    '',
    '.',
    'a/../1-start.md',
    '1-start.md\0',
    '/etc/passwd',
    '9-none.md',
  ]) {
    assert.equal(await manual().read(name), undefined, JSON.stringify(name));
  }
});

test('a service at loopback has its chapters under localhost as well, at its own port only', () => {
  assert.ok(manual().has(new URL('http://localhost:3002/docs/1-start.md')));
  assert.ok(!manual().has(new URL('http://localhost:3003/docs/1-start.md')));
  assert.ok(!manual('https://trawl.example').has(new URL('http://localhost:3002/docs/1-start.md')));
});
