// A page is parsed once for everything that is made from it, as long as a thread has its tree and is free.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_MODELS } from '../../../src/models/no-models.ts';
import type { TransformRequest } from '../../../src/page/page.ts';
import type { CarriedSource } from '../../../src/page/understanding.ts';
import { createPagePool } from '../../../src/page-threads/page-pool.ts';
import { checkInjection } from '../../../src/understand/injection/check-injection.ts';
import { createUnderstander } from '../../../src/understand/understander.ts';
import { countInThreads, EXIT, WAIT } from './thread-counts.ts';

const ENTRY = new URL('./counting-thread.ts', import.meta.url);
const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const ASKER = { asker: { team: 'a' }, isPrivate: false };
const never = new AbortController().signal;
const kettle =
  '<html lang="en"><title>Kettle</title><main><h1 itemprop="name">Kettle</h1><p>It boils.</p></main></html>';

const request = (html: string, { keeps }: { keeps: boolean }): TransformRequest => ({
  page: {
    finalUrl: 'https://shop.example/kettle',
    status: 200,
    headers: {},
    contentType: 'text/html; charset=utf-8',
    bytes: new TextEncoder().encode(html),
  },
  options: {
    formats: ['markdown'],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
  },
  source: keeps ? { data: true, html: true } : { data: true },
});

function open(t: TestContext, { workers }: { workers: number }) {
  const counts = countInThreads();
  const pool = createPagePool({ workers, entry: ENTRY });
  t.after(() => pool.close());
  const understander = createUnderstander(NO_MODELS, { pool });
  const transform = async (html: string, { keeps = true } = {}): Promise<CarriedSource> => {
    const { source } = await pool.transform(request(html, { keeps }), ASKER.asker, never);
    return { ...source!, html };
  };
  return {
    counts,
    pool,
    transform,
    work: pool.workFor(ASKER.asker, never),
    check: (source: CarriedSource) => checkInjection(source, understander.tools(ASKER, never)),
    nameOn: async (source: CarriedSource) => {
      const { content } = await understander.make(
        source,
        [{ type: 'json', schema: SCHEMA, confidence: 0 }],
        ASKER,
        never,
      );
      return (content.json as { name: string }).name;
    },
  };
}

test('the formats, the check for injection, json and programs of a page read one tree', async (t) => {
  const { counts, transform, work, check, nameOn } = open(t, { workers: 1 });
  const source = await transform(kettle);
  await check(source);
  assert.equal(await nameOn(source), 'Kettle');
  const page = { url: source.url, html: source.html };
  assert.match(await work.json.outline(page, 1_000), /<h1 itemprop="name">/);
  const program = { rules: [{ path: 'name', selector: 'h1', take: 'text', sample: 'Kettle' }], lists: [] };
  assert.deepEqual((await work.json.tryProgram(SCHEMA, program, source)).value, { name: 'Kettle' });
  const { template } = await work.json.select({ asked: '', schema: SCHEMA, programs: [] }, source);
  const known = { id: '1', template, program, isSettled: true, optional: [] };
  const { run } = await work.json.select({ asked: '', schema: SCHEMA, programs: [known] }, source);
  assert.deepEqual(run!.value, { name: 'Kettle' });
  assert.equal(counts.parses(), 1);
});

test('programs that travel with a page run on its tree, and save its data and its HTML if they fit and nothing is to be learnt', async (t) => {
  const { counts, pool, work } = open(t, { workers: 1 });
  const program = { rules: [{ path: 'name', selector: 'h1', take: 'text', sample: '' }], lists: [] };
  const { template } = await work.json.select(
    { asked: '', schema: SCHEMA, programs: [] },
    { url: '', html: kettle, markdown: '' },
  );
  const before = counts.parses();
  const sourceFor = async (selector: string, isSettled: boolean) => {
    const rules = [{ ...program.rules[0]!, selector }];
    const known = { id: '1', template, program: { ...program, rules }, isSettled, optional: [] };
    const asked = [{ asked: 'a', schema: SCHEMA, programs: [known] }];
    const { source } = await pool.transform(
      {
        ...request(kettle, { keeps: false }),
        source: { data: 'unselected', html: 'unselected' },
        programs: { site: 'shop.example', asked },
      },
      ASKER.asker,
      never,
    );
    return source!;
  };
  const settled = await sourceFor('h1', true);
  assert.deepEqual(settled.selected![0]!.run!.value, { name: 'Kettle' });
  assert.deepEqual(Object.keys(settled.selected![0]!.run!.citations), ['json.name']);
  assert.deepEqual([settled.data, settled.html], [undefined, undefined]);
  for (const source of [await sourceFor('h1', false), await sourceFor('h5', true)]) {
    assert.ok(source.data && source.html === kettle);
  }
  assert.equal(counts.parses() - before, 3);
});

test('a job goes to the thread that has the tree, although another one was busy more recently', async (t) => {
  const { counts, transform, nameOn } = open(t, { workers: 2 });
  const other = transform(`${WAIT}${kettle}`);
  await counts.waiting();
  const source = await transform(kettle);
  counts.goOn();
  await other;
  assert.equal(await nameOn(source), 'Kettle');
  assert.equal(counts.parses(), 2);
});

test('a redacted page is read as it was redacted, even if it is as long as before', async (t) => {
  const { counts, transform, check, nameOn } = open(t, { workers: 1 });
  const source = await transform(kettle);
  await check(source);
  const redacted = { url: source.url, markdown: '', html: kettle.replaceAll('Kettle', 'Person') };
  assert.equal(redacted.html.length, kettle.length);
  assert.equal(await nameOn(redacted), 'Person');
  assert.equal(counts.parses(), 2);
});

test('a job does not wait for the thread that has the tree', async (t) => {
  const { counts, transform, nameOn } = open(t, { workers: 2 });
  const source = await transform(kettle);
  const busy = transform(`${WAIT}${kettle}`);
  await counts.waiting();
  assert.equal(await nameOn(source), 'Kettle');
  assert.equal(counts.parses(), 3);
  counts.goOn();
  await busy;
});

test('a job is done although the thread that had the tree has crashed', async (t) => {
  const { counts, transform, work, nameOn } = open(t, { workers: 1 });
  const source = await transform(kettle);
  await assert.rejects(work.findInjection({ html: EXIT, markdown: '' }), { code: 'SCRAPE_SITE_ERROR' });
  assert.equal(await nameOn(source), 'Kettle');
  assert.equal(counts.parses(), 3);
});

test('a thread keeps no tree that nobody will ask for, and only that of its last page', async (t) => {
  const { counts, transform, check } = open(t, { workers: 1 });
  await check(await transform(kettle, { keeps: false }));
  assert.equal(counts.parses(), 2);
  const first = await transform(kettle);
  await transform(`${kettle}<p>More.`, { keeps: false });
  await check(first);
  assert.equal(counts.parses(), 5);
});
