// The lifecycle of sessions with real browsers and a clock that the test advances.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProfileStore } from '../../../src/store/ports/files/profile-store.ts';
import { descendants, isAlive, memoryWatch, NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { speak, startSessions, WANTED } from '../../support/sessions.ts';
import { startWeb, type Web } from '../../support/web.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

const soon = () => AbortSignal.timeout(60_000);
const over = (signal: AbortSignal) =>
  signal.aborted || new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

async function gone(pids: number[]): Promise<void> {
  for (const signal = soon(); pids.some(isAlive); ) await sleep(20, undefined, { signal });
}

function createManualClock() {
  const sleepers = new Set<{ until: number; wake(): void }>();
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.add({ until: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    turn(ms: number) {
      now += ms;
      for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake();
    },
  };
}

test('a session is found by its id and team, and by each token for one purpose only', NEEDS_BROWSER, async (t) => {
  const { sessions } = startSessions(t, web);
  const session = await sessions.open(WANTED, soon());
  const { id, tokens } = session;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.equal(sessions.find(id, 'own'), session);
  assert.equal(sessions.find(id, 'other'), undefined);
  assert.equal(new Set(Object.values(tokens)).size, 3);
  for (const token of Object.values(tokens)) assert.match(token, /^[0-9a-f]{32}$/);
  assert.equal(sessions.findByToken('cdp', tokens.cdp), session);
  assert.equal(sessions.findByToken('view', tokens.control), undefined);
  assert.equal(sessions.findByToken('control', tokens.view), undefined);
  assert.equal(sessions.findByToken('cdp', ''), undefined);
  assert.deepEqual(sessions.list('own'), [{ session, status: 'active' }]);
  assert.deepEqual(sessions.list('other'), []);
});

test('an ended session leaves no process and no valid token, but is remembered as ended', NEEDS_BROWSER, async (t) => {
  const ended: string[] = [];
  const { sessions, pids } = startSessions(t, web, { onEnded: async ({ id }) => void ended.push(id) });
  const session = await sessions.open(WANTED, soon());
  const channel = await session.connect(soon());
  const closed = new Promise<void>((resolve) => channel.onClose(resolve));
  const processes = [...pids, ...descendants(pids[0]!)];
  assert.ok(processes.every(isAlive));
  assert.equal(await sessions.end(session.id, 'other'), undefined);
  assert.equal((await sessions.end(session.id, 'own'))?.id, session.id);
  await closed;
  await gone(processes);
  assert.equal(session.ended.aborted, true);
  assert.equal(sessions.find(session.id, 'own'), undefined);
  assert.equal(sessions.findByToken('cdp', session.tokens.cdp), undefined);
  assert.equal(sessions.findEnded(session.id, 'own'), session);
  assert.equal(sessions.findEnded(session.id, 'other'), undefined);
  assert.deepEqual(sessions.list('own'), [{ session, status: 'destroyed' }]);
  assert.equal(await sessions.end(session.id, 'own'), undefined);
  await assert.rejects(session.connect(soon()), { code: 'SESSION_ENDED' });
  assert.deepEqual(ended, [session.id]);
});

test('a session ends when its time is up, even if it is active', NEEDS_BROWSER, async (t) => {
  const clock = createManualClock();
  const { sessions, pids } = startSessions(t, web, { clock });
  const session = await sessions.open({ ...WANTED, ttlMs: 60_000, activityTtlMs: 30_000 }, soon());
  for (let turned = 0; turned < 3; turned += 1) {
    clock.turn(19_000);
    session.touch();
    await sleep(5);
  }
  assert.equal(session.ended.aborted, false);
  assert.equal(session.lastActivityAt, clock.now());
  clock.turn(3_000);
  await over(session.ended);
  await gone(pids);
});

test('an idle session ends earlier', NEEDS_BROWSER, async (t) => {
  const clock = createManualClock();
  const { sessions } = startSessions(t, web, { clock });
  const session = await sessions.open({ ...WANTED, ttlMs: 600_000, activityTtlMs: 30_000 }, soon());
  clock.turn(29_000);
  await sleep(5);
  assert.equal(session.ended.aborted, false);
  clock.turn(1_000);
  await over(session.ended);
  assert.equal(sessions.findEnded(session.id, 'own'), session);
});

test('the number of sessions per team is limited', NEEDS_BROWSER, async (t) => {
  const { sessions } = startSessions(t, web, { maxPerTeam: 2 });
  const opened = await Promise.allSettled([1, 2, 3].map(() => sessions.open(WANTED, soon())));
  const refused = opened.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'TOO_MANY_SESSIONS');
  await sessions.open({ ...WANTED, teamId: 'other' }, soon());
  await sessions.end(sessions.list('own')[0]!.session.id, 'own');
  await sessions.open(WANTED, soon());
});

test('a session ends when its browser dies', NEEDS_BROWSER, async (t) => {
  const { sessions, pids } = startSessions(t, web);
  const session = await sessions.open(WANTED, soon());
  process.kill(pids[0]!, 'SIGKILL');
  await over(session.ended);
  assert.equal(sessions.findEnded(session.id, 'own'), session);
});

test('a caller that leaves while a session is opening leaves nothing behind', NEEDS_BROWSER, async (t) => {
  const { sessions, pids } = startSessions(t, web);
  const caller = new AbortController();
  const opening = sessions.open(WANTED, caller.signal);
  while (pids.length === 0) await sleep(1);
  caller.abort(new Error('gone'));
  await assert.rejects(opening, /gone/);
  await gone(pids);
  assert.deepEqual(sessions.list('own'), []);
});

test('without a browser, opening fails with the reason', async (t) => {
  const { sessions } = startSessions(t, web, { unavailable: () => 'It is switched off.' });
  await assert.rejects(sessions.open(WANTED, soon()), {
    code: 'NO_BROWSER',
    status: 503,
    message: /It is switched off\./,
  });
});

test('a browser that fails to start is a clear error, and its slot is released', async (t) => {
  const { sessions } = startSessions(t, web, {
    maxPerTeam: 1,
    launch() {
      throw new Error('no such file');
    },
  });
  await assert.rejects(sessions.open(WANTED, soon()), { code: 'NO_BROWSER', message: /does not start/ });
  await assert.rejects(sessions.open(WANTED, soon()), { code: 'NO_BROWSER' });
});

test('all sessions end with the service, and new ones are refused', NEEDS_BROWSER, async (t) => {
  const { sessions, pids } = startSessions(t, web);
  const session = await sessions.open(WANTED, soon());
  const opening = sessions.open(WANTED, soon());
  opening.catch(() => {});
  await sessions.close();
  await gone(pids);
  assert.equal(session.ended.aborted, true);
  await assert.rejects(opening, { code: 'SERVICE_UNAVAILABLE' });
  await assert.rejects(sessions.open(WANTED, soon()), { code: 'SERVICE_UNAVAILABLE' });
});

test('shutdown waits for a session that is still ending', NEEDS_BROWSER, async (t) => {
  const read = Promise.withResolvers<string>();
  const written: string[] = [];
  const { sessions } = startSessions(t, web, {
    profiles: {
      read: async () => undefined,
      async write(_team, _name, state) {
        written.push(state);
      },
      remove: async () => false,
    },
    trackState: async () => ({ read: () => read.promise }),
  });
  const session = await sessions.open({ ...WANTED, profile: { name: 'slow', saveChanges: true } }, soon());
  const ending = sessions.end(session.id, 'own');
  await over(session.ended);
  const closing = sessions.close();
  read.resolve('the state');
  await closing;
  assert.equal(written[0], 'the state');
  await ending;
});

test('a profile is loaded at the start, saved at the end, and locked in between', NEEDS_BROWSER, async (t) => {
  const written: Parameters<ProfileStore['write']>[] = [];
  const loaded: (string | undefined)[] = [];
  const held = new Set<string>();
  const profiles: ProfileStore = {
    read: async (_team, name) => (name === 'known' ? 'the state' : undefined),
    async write(...args) {
      written.push(args);
    },
    remove: async () => false,
  };
  const { sessions } = startSessions(t, web, {
    profiles,
    profileLocks: {
      async take(team, name) {
        held.add(`${team} ${name}`);
        return { isHeld: async () => true, release: () => void held.delete(`${team} ${name}`) };
      },
    },
    async trackState(_channel, state) {
      loaded.push(state);
      return { read: async () => `${state} changed` };
    },
  });
  const saver = await sessions.open({ ...WANTED, profile: { name: 'known', saveChanges: true } }, soon());
  assert.deepEqual([...held], ['own known']);
  const reader = await sessions.open({ ...WANTED, profile: { name: 'known', saveChanges: false } }, soon());
  await sessions.end(reader.id, 'own');
  assert.equal(written.length, 0);
  await sessions.end(saver.id, 'own');
  assert.deepEqual(loaded, ['the state', 'the state']);
  assert.deepEqual(
    written.map((args) => args.slice(0, 3)),
    [['own', 'known', 'the state changed']],
  );
  assert.deepEqual([...held], []);
});

test('a session that fills memory is ended, and its clients are told why', NEEDS_BROWSER, async (t) => {
  const { sessions, pids } = startSessions(t, web, { memory: memoryWatch(256) });
  const session = await sessions.open(WANTED, soon());
  const other = await sessions.open(WANTED, soon());
  const channel = await session.connect(soon());
  const closed = new Promise<void>((resolve) => channel.onClose(resolve));
  const { ask, attach } = speak(channel);
  const expression = 'const all = []; for (;;) all.push(new Uint8Array(8 << 20).fill(1))';
  ask('Runtime.evaluate', { expression }, await attach());
  await Promise.all([over(session.ended), closed]);
  assert.match(session.ended.reason.message, /used too much memory .* TRAWL_MAX_BROWSER_MB/);
  assert.ok(Buffer.byteLength(session.ended.reason.message) <= 123);
  assert.equal(sessions.findEnded(session.id, 'own')?.ended.reason.code, 'SESSION_ENDED');
  await gone([pids[0]!]);
  assert.equal(other.ended.aborted, false);
});
