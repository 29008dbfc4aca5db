// A store that is cut off from its database says so, does not hang, and comes back by itself.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { connect } from '../../../../src/store/postgres/database/database.ts';
import { createWatchdog } from '../../../../src/store/postgres/database/watchdog.ts';
import { openPostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { createDatabase, hasPostgres } from '../../../conformance/open-postgres.ts';
import { START } from '../../../conformance/samples.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const skip = !hasPostgres && 'It runs with npm run test:cluster';
const TIMES = { silentMs: 300, answerMs: 300 };
const isUnavailable = (error: unknown) => error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

async function openThroughProxy(t: TestContext) {
  const { url } = await createDatabase(t);
  const proxy = await startTcpProxy(url);
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
  const problems: (string | undefined)[] = [];
  const store = await openPostgresStore({
    ...{ url: proxy.url, secret: new Uint8Array(32).fill(7), dataDir, cacheMaxBytes: 1_000_000, connections: 2 },
    watchdogTimes: TIMES,
    onWritable: (problem) => problems.push(problem),
  });
  t.after(async () => {
    proxy.set('open');
    await store.close();
    await proxy.stop();
    await rm(dataDir, { recursive: true });
  });
  return { store, proxy, problems };
}

for (const passage of ['refuse', 'reset', 'swallow'] as const)
  test(`a network that begins to ${passage} makes calls fail, and they work again after it`, { skip }, async (t) => {
    const { store, proxy, problems } = await openThroughProxy(t);
    await store.teams.ensureTeam('one', START);
    const never = new AbortController();
    proxy.set(passage);
    // More than there are connections, transactions among them: none may hang or keep its place.
    const calls = Array.from({ length: 40 }, (_, at) => store.teams.ensureTeam(`team ${at}`, START));
    const results = await Promise.allSettled([...calls, store.notes.read('x'), store.notes.write('x', 'y')]);
    for (const result of results)
      assert.ok(result.status === 'rejected' && isUnavailable(result.reason), JSON.stringify(result));
    assert.match(store.health.problem()!, /cannot be reached/);
    await assert.rejects(store.notes.read('x'), isUnavailable);

    const persisted = store.health.persist(() => store.notes.write('kept', 'yes'), never.signal);
    proxy.set('open');
    await store.health.writable(never.signal);
    await persisted;
    assert.equal(await store.notes.read('kept'), 'yes');
    assert.equal(problems.length, 2);
    assert.equal(problems[1], undefined);
    await store.teams.ensureTeam('two', START);
  });

test('a transaction that the network swallows ends, and its rows are free again', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const proxy = await startTcpProxy(url);
  t.after(() => proxy.stop());
  const database = connect({ url: proxy.url, connections: 2 });
  t.after(() => database.close());
  const watchdog = createWatchdog({ database, times: TIMES });
  const isLocked = Promise.withResolvers<void>();
  const isCut = Promise.withResolvers<void>();
  const call = watchdog.watch(() =>
    database.transaction(async (sql) => {
      await sql`SELECT pg_advisory_xact_lock(1)`;
      isLocked.resolve();
      await isCut.promise;
      await sql`SELECT 1`;
    }),
  );
  await isLocked.promise;
  proxy.set('swallow');
  isCut.resolve();
  await assert.rejects(call, { code: 'CONNECTION_DESTROYED' });
  await assert.rejects(
    watchdog.watch(async () => assert.fail('not called while it is cut off')),
    { code: 'CONNECTION_DESTROYED' },
  );
  proxy.set('open');
  await watchdog.probe(async () => void (await database.sql`SELECT 1`));
  await watchdog.watch(() => database.transaction((sql) => sql`SELECT pg_advisory_xact_lock(1)`));
});

test('slow statements are not taken for an outage', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const database = connect({ url, connections: 1 });
  t.after(() => database.close());
  const watchdog = createWatchdog({ database, times: TIMES });
  const generation = database.generation();
  const [row] = await watchdog.watch(() => database.sql`SELECT 'slow' AS word FROM pg_sleep(1.5)`);
  assert.equal(row!.word, 'slow');
  // The checks that were under way have ended.
  await wait(0);
  assert.equal(generation.aborted, false);
});

test('a call that waits for the object store is not taken for an outage of the database', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const database = connect({ url, connections: 1 });
  t.after(() => database.close());
  const watchdog = createWatchdog({ database, times: { ...TIMES, longestMs: 200 } });
  const generation = database.generation();
  const stored = watchdog.watch(async () => {
    await watchdog.elsewhere(() => wait(1_000));
    return database.sql`SELECT 'stored' AS word`;
  });
  assert.equal((await stored)[0]!.word, 'stored');
  assert.equal(generation.aborted, false);
  const ended = new AbortController();
  t.after(() => ended.abort());
  const lost = watchdog.watch(() => wait(60_000, undefined, { signal: ended.signal }));
  await assert.rejects(lost, { code: 'CONNECTION_DESTROYED' });
});

for (const passage of ['refuse', 'reset'] as const)
  test(`queries that are repeated at once when connections ${passage} are all answered`, { skip }, async (t) => {
    const { url } = await createDatabase(t);
    const proxy = await startTcpProxy(url);
    t.after(() => proxy.stop());
    const database = connect({ url: proxy.url, connections: 5 });
    t.after(() => database.close());
    let failures = 0;
    const answered = async (at: number) => {
      for (;;) {
        try {
          return (await database.sql<{ at: number }[]>`SELECT ${at}::int AS at FROM pg_sleep(0.01)`)[0]!.at;
        } catch {
          failures += 1;
        }
      }
    };
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    // No watchdog: it would end what hangs.
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await Promise.all(numbers.map(answered)), numbers);
      const repeated = Promise.all(numbers.map(answered));
      await database.sql`SELECT 1`;
      proxy.set(passage);
      proxy.set('open');
      assert.deepEqual(await repeated, numbers);
    }
    assert.ok(failures > 0, 'connections were lost in the middle');
  });
