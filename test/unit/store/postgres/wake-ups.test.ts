// Wake-ups reach other processes on the same database, in few messages, and after each kind of lost connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import postgres from 'postgres';
import type { Topic, WakeUps } from '../../../../src/store/ports/wake-ups.ts';
import { createPostgresWakeUps } from '../../../../src/store/postgres/wake-ups.ts';
import { createDatabase, hasPostgres } from '../../../conformance/open-postgres.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const skip = !hasPostgres && 'It runs with npm run test:cluster';
const TIMES = { gatherMs: 20, pulseMs: 50, answerMs: 400, reconnectMs: 20 };

/** Resolves with the next key that the handler gets. */
const nextOf = (wakeUps: WakeUps, topic: Topic) =>
  new Promise<string | undefined>((resolve) => {
    const off = wakeUps.on(topic, (key) => {
      off();
      resolve(key);
    });
  });

/** The connection is open once it has said that something may have been missed. */
async function openWakeUps(t: { after(end: () => Promise<void>): void }, url: string) {
  const wakeUps = createPostgresWakeUps({ url, times: TIMES });
  t.after(() => wakeUps.close());
  await nextOf(wakeUps, 'feed');
  return wakeUps;
}

test('what one process says reaches the others once, and its own handlers at once', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const [a, b] = await Promise.all([openWakeUps(t, url), openWakeUps(t, url)]);
  const own: unknown[] = [];
  const others: unknown[] = [];
  a.on('jobs', (key) => own.push(key));
  a.on('jobs', (key) => others.push(key), 'others');
  const heard = nextOf(b, 'jobs');
  a.notify('jobs', 'first');
  assert.deepEqual(own, ['first']);
  assert.equal(await heard, 'first');

  // By the time that the answer of B arrives, the own message of A has arrived, too.
  const answer = nextOf(a, 'runs');
  b.notify('runs');
  assert.equal(await answer, undefined);
  assert.deepEqual(own, ['first']);
  assert.deepEqual(others, []);
});

test('many wake-ups become few messages; too many keys become one wake-up for all', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const messages: string[] = [];
  const last = Promise.withResolvers<void>();
  const listener = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => listener.end());
  await listener.listen('trawl', (message) => {
    messages.push(message);
    if (message.includes('run-2')) last.resolve();
  });
  const [a, b] = await Promise.all([openWakeUps(t, url), openWakeUps(t, url)]);
  const keys: (string | undefined)[] = [];
  b.on('changes', (key) => keys.push(key));
  for (let at = 0; at < 1_000; at++) a.notify('changes', `job-${at % 3}`);
  a.notify('runs', 'run-1');
  await nextOf(b, 'runs');
  assert.deepEqual(keys.toSorted(), ['job-0', 'job-1', 'job-2']);

  keys.length = 0;
  for (let at = 0; at < 1_000; at++) a.notify('changes', `job-${at}-${'ä'.repeat(20)}`);
  a.notify('runs', 'run-2');
  assert.equal(await nextOf(b, 'runs'), 'run-2');
  assert.deepEqual(keys, [undefined]);
  await last.promise;
  assert.equal(messages.length, 2);
});

for (const passage of ['refuse', 'reset', 'swallow'] as const)
  test(`the connection comes back after the network began to ${passage}`, { skip }, async (t) => {
    const { url } = await createDatabase(t);
    const proxy = await startTcpProxy(url);
    t.after(() => proxy.stop());
    const [a, b] = await Promise.all([openWakeUps(t, url), openWakeUps(t, proxy.url)]);
    proxy.set(passage);
    // Said while B cannot hear it.
    a.notify('jobs', 'lost');
    const missed = nextOf(b, 'jobs');
    if (passage === 'swallow') {
      // The pulse gives up by itself, and the attempts to come back find nobody.
      while (proxy.open() < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    proxy.set('open');
    assert.equal(await missed, undefined);
    const heard = nextOf(b, 'jobs');
    a.notify('jobs', 'again');
    assert.equal(await heard, 'again');
  });

test('closing ends at once, connected or not', { skip }, async (t) => {
  const { url } = await createDatabase(t);
  const proxy = await startTcpProxy(url);
  t.after(() => proxy.stop());
  const wakeUps = await openWakeUps(t, proxy.url);
  proxy.set('swallow');
  await wakeUps.close();
  wakeUps.notify('jobs');
  const nowhere = createPostgresWakeUps({ url: proxy.url, times: TIMES });
  nowhere.notify('jobs', 'nobody hears it');
  await nowhere.close();
});
