// The manual as pages: which URLs are its chapters, and that no other file can be read through them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { createManual } from '../../../src/fetch/manual.ts';
import { systemClock } from '../../../src/util/clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-manual-'));
after(() => rmSync(folder, { recursive: true }));
for (const group of ['use', 'operate', 'images', 'decisions']) mkdirSync(join(folder, group));
writeFileSync(join(folder, 'operate/settings.md'), '# More\n');
writeFileSync(join(folder, 'use/start.md'), '# Start\n');
writeFileSync(join(folder, 'images/picture.svg'), '<svg/>');
writeFileSync(join(folder, 'decisions/store.md'), '# For contributors\n');
writeFileSync(join(folder, 'outside.md'), '# No chapter\n');
writeFileSync(join(folder, 'openapi.json'), '{}');

const BASE = 'http://127.0.0.1:3002';
const manual = (base: string | undefined = BASE) =>
  createManual({ folder, baseUrl: () => base, clock: { ...systemClock, now: () => 1_000 } });
const fetchAt = (url: string) => manual().fetch({ url: new URL(url) } as FetchRequest, AbortSignal.timeout(1_000));

test('chapters have URLs and change with their text', async () => {
  const before = await manual().chapters();
  assert.deepEqual(
    before.map(({ url }) => url),
    [`${BASE}/docs/use/start.md`, `${BASE}/docs/operate/settings.md`],
  );
  assert.deepEqual(
    await manual().urls(),
    before.map(({ url }) => url),
  );
  writeFileSync(join(folder, 'operate/settings.md'), '# More and more\n');
  const [start, more] = await manual().chapters();
  assert.equal(start!.hash, before[0]!.hash);
  assert.notEqual(more!.hash, before[1]!.hash);
});

test('the list of contents has titles and sizes, in the order of the chapters', async () => {
  writeFileSync(join(folder, 'use/another.md'), 'No title\n');
  const contents = await manual().contents();
  assert.deepEqual(
    contents.map(({ name, group, title }) => [name, group, title]),
    [
      ['use/start.md', 'use', 'Start'],
      ['operate/settings.md', 'operate', 'More and more'],
      ['use/another.md', 'use', 'use/another.md'],
    ],
  );
  assert.equal(contents[0]!.bytes, 8);
});

test('a chapter can be read without the ending of its file', async () => {
  assert.deepEqual(await manual().read('use/start'), await manual().read('use/start.md'));
});

test('there are no chapters before the service knows its own URL', async () => {
  const early = createManual({ folder, baseUrl: () => undefined, clock: systemClock });
  assert.deepEqual(await early.chapters(), []);
  assert.equal(early.has(new URL(`${BASE}/docs/use/start.md`)), false);
});

test('only chapter URLs belong to the manual', () => {
  const has = (url: string) => manual().has(new URL(url));
  assert.ok(has(`${BASE}/docs/use/start.md`));
  // A chapter URL belongs to the manual even if the chapter does not exist.
  assert.ok(has(`${BASE}/docs/use/none.md`));
  for (const url of [
    `${BASE}/`,
    `${BASE}/docs/`,
    `${BASE}/docs/openapi.json`,
    `${BASE}/docs/use/start.md?x`,
    `${BASE}/docs/use/start.md#part`,
    `${BASE}/docs/..%2fsecret.md`,
    `${BASE}/docs/outside.md`,
    `${BASE}/docs/decisions/store.md`,
    `${BASE}/docs/9-none.md`,
    `${BASE}/docs/1-start.md?x`,
    `${BASE}/docs/1-start`,
    `${BASE}/docs/use%2fstart.md`,
    `${BASE}/docs/use/deeper/start.md`,
    `${BASE}/docs/../v2/x.md`,
    `${BASE}/DOCS/1-start.md`,
    'https://127.0.0.1:3002/docs/use/start.md',
    'http://127.0.0.1:3003/docs/use/start.md',
    'http://user@127.0.0.1:3002/docs/use/start.md',
    'http://127.0.0.1:3002.evil.test/docs/use/start.md',
  ]) {
    assert.equal(URL.canParse(url) && has(url), false, url);
  }
});

test('the path of a base URL is kept', () => {
  const behind = manual('https://example.com/trawl');
  assert.ok(behind.has(new URL('https://example.com/trawl/docs/use/start.md')));
  assert.equal(behind.has(new URL('https://example.com/docs/use/start.md')), false);
});

test('a chapter is returned as a page', async () => {
  const page = await fetchAt(`${BASE}/docs/use/start.md`);
  assert.equal(Buffer.from(page.bytes).toString(), '# Start\n');
  assert.deepEqual(
    [page.status, page.contentType, page.finalUrl, page.fetchedAt, page.engine],
    [200, 'text/markdown; charset=utf-8', `${BASE}/docs/use/start.md`, 1_000, 'manual'],
  );
  await assert.rejects(fetchAt(`${BASE}/docs/use/none.md`), { code: 'SCRAPE_SITE_ERROR' });
});

test('a chapter is found by the address that it had in earlier versions, and is returned with the one of today', async () => {
  assert.deepEqual(await manual().read('1-start'), await manual().read('use/start'));
  assert.deepEqual(await manual().read('2-settings.md'), await manual().read('operate/settings.md'));
  for (const base of [BASE, 'http://localhost:3002']) {
    assert.ok(manual().has(new URL(`${base}/docs/1-start.md`)));
    const page = await fetchAt(`${base}/docs/1-start.md`);
    assert.equal(Buffer.from(page.bytes).toString(), '# Start\n');
    assert.deepEqual([page.requestedUrl, page.finalUrl], [`${base}/docs/1-start.md`, `${base}/docs/use/start.md`]);
  }
});

test('no other file can be read', async () => {
  for (const name of [
    'openapi.json',
    '../package.json',
    '..',
    '',
    '.',
    'a/../use/start.md',
    'use/start.md\0',
    '/etc/passwd',
    '9-none.md',
    'use/none.md',
    'outside.md',
    'outside',
    'use/../use/start.md',
    '../docs/use/start.md',
    'use//start.md',
    'use/start.md/',
    'use/deeper/start.md',
    'images/picture.svg',
    `use/${'a'.repeat(3000)}`,
    `${'a'.repeat(3000)}/start`,
  ]) {
    assert.equal(await manual().read(name), undefined, JSON.stringify(name));
  }
});

test('a service at loopback has its chapters under localhost as well, at its own port only', () => {
  assert.ok(manual().has(new URL('http://localhost:3002/docs/use/start.md')));
  assert.ok(!manual().has(new URL('http://localhost:3003/docs/use/start.md')));
  assert.ok(!manual('https://trawl.example').has(new URL('http://localhost:3002/docs/use/start.md')));
});
