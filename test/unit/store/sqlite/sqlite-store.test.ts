// The store as a whole: errors are clear, and one failure does not stop it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { startJob, webhookFor } from '../../../conformance/job-samples.ts';
import {
  markdownOf,
  noise,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
} from '../../../conformance/samples.ts';
import { OWN_THREAD, openTemporaryStore, queryDatabase, temporaryFolder } from '../temporary-folder.ts';

const URL = 'http://site.test/';
const isUnknownError = (error: unknown) =>
  error instanceof ServiceError && error.code === 'UNKNOWN_ERROR' && error.cause instanceof Error;

test('the data folder and everything in it is accessible to its owner only', async (t) => {
  const dataDir = join(temporaryFolder(t), 'deep', 'data');
  const { store } = await openTemporaryStore(t, { ...OWN_THREAD, dataDir });
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  for (const name of readdirSync(dataDir)) assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, name);
  await store.close();
});

test('stored pages survive a restart', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t, OWN_THREAD);
  await store.pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('kept')));
  await store.close();
  const { store: again } = await openTemporaryStore(t, { ...OWN_THREAD, dataDir });
  const found = await again.pages.find(queryFor('key'));
  assert.ok(found && 'outcome' in found && markdownOf(found.outcome) === 'kept');
});

test('what was being sent when the last process ended is due with the next start', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { teamId } = await startJob(store, { webhook: webhookFor() });
  const [recipient] = await store.mails.subscribe(teamId, [{ email: 'ops@site.test', isTrusted: true }]);
  const content = { subject: 'Changed', text: '', html: '', headers: {} };
  await store.mails.queue([{ key: 'k', messageId: 'm', subscription: recipient!.number, content }], START);
  const dueOf = async ({ deliveries, mails }: Store) => [
    ...(await deliveries.due(START, 10)).map(({ event }) => event),
    ...(await mails.due(START, 10)).map(({ messageId }) => messageId),
  ];
  assert.deepEqual(await dueOf(store), ['started', 'm']);
  assert.deepEqual(await dueOf(store), []);
  await store.close();
  const { store: again } = await openTemporaryStore(t, { dataDir });
  assert.deepEqual(await dueOf(again), ['started', 'm']);
});

test('a data folder that is in use or cannot be created is an error that names it', async (t) => {
  const { dataDir } = await openTemporaryStore(t, OWN_THREAD);
  await assert.rejects(openSqliteStore({ dataDir, cacheMaxBytes: 1 }), {
    message: `The data folder ${dataDir} is in use by process ${process.pid}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
  });
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(openSqliteStore({ dataDir: join(file, 'data'), cacheMaxBytes: 1 }), {
    message: `The data folder ${join(file, 'data')} cannot be created or written (ENOTDIR). Set TRAWL_DATA_DIR to a folder that this user can write.`,
  });
});

test('a failed start releases the folder', async (t) => {
  const dataDir = temporaryFolder(t);
  mkdirSync(join(dataDir, 'store.db'));
  await assert.rejects(openSqliteStore({ dataDir, cacheMaxBytes: 1 }), /cannot be opened/);
  rmSync(join(dataDir, 'store.db'), { recursive: true });
  await openTemporaryStore(t, { ...OWN_THREAD, dataDir });
});

test('a body that cannot be written fails its call, leaves no row, and the next call works', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t, OWN_THREAD);
  rmSync(join(dataDir, 'blobs'), { recursive: true });
  writeFileSync(join(dataDir, 'blobs'), 'in the way');
  const large = { ...samplePage(''), bytes: noise(100_000) };
  await assert.rejects(store.pages.save(pageToStore('large', URL, large, null, sampleResult(''))), isUnknownError);
  assert.deepEqual(queryDatabase(dataDir, 'SELECT count(*) FROM pages UNION ALL SELECT count(*) FROM bodies'), [0, 0]);
  assert.ok(await store.pages.save(pageToStore('small', URL, samplePage('<p>'), null, sampleResult('small'))));
});

test('an argument that cannot be sent to the thread fails its call and nothing else', async (t) => {
  const { store } = await openTemporaryStore(t, OWN_THREAD);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const record = {
    id: 's',
    teamId,
    url: URL,
    metadata: {},
    toStore: { resultId: '1' },
    createdAt: START,
    expiresAt: START,
  };
  const add = store.scrapes.add(sampleCharge(teamId), { ...record, options: () => {} });
  await assert.rejects(add, isUnknownError);
  assert.deepEqual(await store.teams.listKeys(), []);
});

test('after the thread has died every call fails, and onCrash is called', async (t) => {
  const worker = once(process, 'worker');
  const crash = Promise.withResolvers<Error>();
  const { dataDir, store } = await openTemporaryStore(t, { ...OWN_THREAD, onCrash: crash.resolve });
  const [thread] = (await worker) as [Worker];
  // The call waits for a lock, so that it is in flight when the thread ends.
  const beside = new DatabaseSync(join(dataDir, 'store.db'));
  beside.exec('BEGIN IMMEDIATE');
  const call = store.teams.ensureTeam('default', START);
  const ended = thread.terminate();
  beside.close();
  await Promise.all([assert.rejects(call, isUnknownError), ended]);
  assert.match((await crash.promise).message, /worker thread ended/);
  await assert.rejects(store.teams.listKeys(), isUnknownError);
});

test('closing waits for calls in flight and rejects later ones', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t, OWN_THREAD);
  const put = store.pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('last')));
  await store.close();
  assert.ok(await put);
  await store.close();
  await assert.rejects(store.teams.listKeys(), { code: 'SERVICE_UNAVAILABLE' });
  assert.deepEqual(readdirSync(dataDir).sort(), ['blobs', 'incoming', 'lock', 'store.db']);
});
