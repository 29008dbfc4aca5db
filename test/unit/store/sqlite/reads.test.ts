// Reads beside the store: which calls go there, and what they see.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SendCall, Thread } from '../../../../src/runtime/threads/thread.ts';
import { readBeside } from '../../../../src/store/sqlite/reads/reads-beside.ts';
import { STORE_THREAD, type StoreThreadOptions } from '../../../../src/store/sqlite/sqlite-store.ts';
import { completePage, documentsOf, sampleTask, startJob } from '../../../conformance/job-samples.ts';
import { noise, pageToStore, queryFor, START, samplePage, sampleResult } from '../../../conformance/samples.ts';
import { startWithoutThread } from '../../../support/store-without-thread.ts';
import { openTemporaryStore, queryDatabase } from '../temporary-folder.ts';

const URL = 'http://site.test/';

function fakeThread(answer: SendCall, pending = 0) {
  const methods: string[] = [];
  const thread: Thread = {
    pending,
    cpuMs: async () => 0,
    call: async (...call) => {
      methods.push(call[0]);
      return answer(...call);
    },
    terminate: async () => void methods.push('terminate'),
  };
  return { thread, methods };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('only reads that would wait go to the other thread, which starts with the first of them', async () => {
  const store = { ...fakeThread(async () => 'store').thread, pending: 0 };
  const other = fakeThread(async () => 'beside');
  let starts = 0;
  const { send, close } = readBeside(store, () => {
    starts += 1;
    return other.thread;
  });
  assert.equal(await send('pages.find', [], []), 'store');
  store.pending = 1;
  assert.equal(await send('pages.save', [], []), 'store');
  assert.equal(starts, 0);
  assert.equal(await send('pages.find', [], []), 'store');
  await settled();
  assert.equal(await send('pages.find', [], []), 'beside');
  assert.equal(await send('pages.save', [], []), 'store');
  assert.equal(starts, 1);
  await close();
  await close();
  assert.deepEqual(other.methods, ['ready', 'pages.find', 'close', 'terminate', 'terminate']);
});

test('what fails there is answered by the store, and a thread that has ended is not used again', async () => {
  const store = fakeThread(async () => 'store', 1);
  const other = fakeThread(async (method) => {
    if (method !== 'ready') throw new Error('not here');
  });
  let crash = () => {};
  const { send, close } = readBeside(store.thread, (onCrash) => {
    crash = onCrash;
    return other.thread;
  });
  await send('jobs.view', [], []);
  await settled();
  assert.equal(await send('jobs.view', [], []), 'store');
  crash();
  assert.equal(await send('jobs.view', [], []), 'store');
  await close();
  assert.deepEqual(other.methods, ['ready', 'jobs.view', 'terminate']);
});

/** A store that always seems busy, and the names of the calls that reach it. */
async function openBusyStore(t: TestContext) {
  const reached: string[] = [];
  const start = (entry: URL, options: StoreThreadOptions): Thread => {
    const thread = startWithoutThread(entry, options);
    if (entry !== STORE_THREAD) return thread;
    const call: SendCall = (method, ...rest) => {
      reached.push(method);
      return thread.call(method, ...rest);
    };
    return { cpuMs: thread.cpuMs, terminate: thread.terminate, call, pending: 1 };
  };
  const opened = await openTemporaryStore(t, { start });
  const isAsked = async (method: string, work: () => Promise<unknown>) => {
    reached.length = 0;
    await work();
    return reached.includes(method);
  };
  while (await isAsked('jobs.view', () => opened.store.jobs.view('none', 'none', START))) await settled();
  return { ...opened, isAsked };
}

test('what was committed before is seen beside the store', async (t) => {
  const { store, isAsked } = await openBusyStore(t);
  const job = await startJob(store, { tasks: [sampleTask('/a'), sampleTask('/b')] });
  for (const path of ['/a', '/b']) {
    await completePage(job, path);
    const view = async () =>
      assert.equal((await store.jobs.view(job.id, job.teamId, START))?.completed, path === '/a' ? 1 : 2);
    assert.equal(await isAsked('jobs.view', view), false);
  }
  assert.equal(await isAsked('jobs.results', async () => assert.equal((await documentsOf(job)).length, 2)), false);
  await store.pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('kept')));
  assert.equal(await isAsked('pages.find', async () => assert.ok(await store.pages.find(queryFor('key')))), false);
});

test('the use of a page is noted by the store', async (t) => {
  const { dataDir, store, isAsked } = await openBusyStore(t);
  await store.pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('kept')));
  const now = START + 2 * 3_600_000;
  assert.equal(await isAsked('pages.find', () => store.pages.find({ ...queryFor('key'), now })), true);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT used_at FROM pages'), [now]);
  assert.equal(await isAsked('pages.find', () => store.pages.find({ ...queryFor('key'), now })), false);
});

test('a page whose bytes are not there is looked for by the store', async (t) => {
  const { dataDir, store, isAsked } = await openBusyStore(t);
  const large = { ...samplePage(''), bytes: noise(100_000) };
  await store.pages.save(pageToStore('key', URL, large, null, sampleResult('')));
  const query = { ...queryFor('key'), transformKey: undefined };
  const find = async () => assert.ok(await store.pages.find(query));
  assert.equal(await isAsked('pages.find', find), false);
  rmSync(join(dataDir, 'blobs'), { recursive: true });
  const findNone = async () => assert.equal(await store.pages.find(query), undefined);
  assert.equal(await isAsked('pages.find', findNone), true);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT count(*) FROM pages'), [0]);
});
