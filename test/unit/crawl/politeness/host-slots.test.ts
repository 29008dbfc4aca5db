// Waiting for a place at a host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createHostSlots } from '../../../../src/crawl/politeness/host-slots.ts';
import { createPoliteness } from '../../../../src/crawl/politeness/politeness.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { soon } from '../../net/local.ts';

const HOST = 'site.test';
const GOOD = { ms: 10, status: 200 };

/** A clock that stands still until it is moved; whoever sleeps on it can be counted. */
function stillClock() {
  let time = 1_000;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => time,
    sleeping: () => sleepers.size,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: time + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async move(ms: number) {
      time += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at > time) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await setImmediate();
    },
  };
}

function scene() {
  const clock = stillClock();
  const politeness = createPoliteness({ clock, isAllowListed: () => false });
  const places = createHostSlots(politeness, clock);
  const entered: string[] = [];
  const enter = (name: string, signal = soon()) =>
    places.acquire(HOST, signal).then((leave) => {
      entered.push(name);
      return leave;
    });
  return { clock, politeness, enter, entered };
}

test('whoever finds no place waits until one of ours becomes free', async () => {
  const { clock, enter, entered } = scene();
  const [leave] = await Promise.all([enter('a'), enter('b')]);
  const waiting = enter('c');
  await setImmediate();
  assert.deepEqual([entered, clock.sleeping()], [['a', 'b'], 1]);
  leave(GOOD);
  await waiting;
  assert.deepEqual([entered, clock.sleeping()], [['a', 'b', 'c'], 0]);
});

test('a place is given back once, however often its holder leaves', async () => {
  const { politeness, enter } = scene();
  const leave = await enter('a');
  await enter('b');
  leave({});
  leave({});
  assert.equal(politeness.freeSlots(HOST), 1);
});

test('places that others hold are looked for again and again', async () => {
  const { clock, politeness, enter, entered } = scene();
  politeness.started(HOST);
  politeness.started(HOST);
  const waiting = enter('a');
  await setImmediate();
  await clock.move(100);
  assert.deepEqual(entered, []);
  politeness.finished(HOST, GOOD);
  await clock.move(100);
  await waiting;
  assert.deepEqual(entered, ['a']);
});

test('the interval of a host is kept', async () => {
  const { clock, politeness, enter, entered } = scene();
  politeness.setCrawlDelay(HOST, 5_000);
  const leave = await enter('a');
  const waiting = enter('b');
  leave(GOOD);
  await setImmediate();
  await clock.move(4_999);
  assert.deepEqual(entered, ['a']);
  await clock.move(1);
  await waiting;
  assert.deepEqual(entered, ['a', 'b']);
});

test('an abort ends the waiting with its reason, and takes no place', async () => {
  const { clock, politeness, enter } = scene();
  politeness.started(HOST);
  politeness.started(HOST);
  const leaving = new AbortController();
  const waiting = enter('a', leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(waiting, { message: 'gone' });
  assert.equal(clock.sleeping(), 0);
  politeness.finished(HOST, GOOD);
  assert.equal(politeness.freeSlots(HOST), 1);
  const places = createHostSlots(politeness, systemClock);
  await assert.rejects(places.acquire(HOST, AbortSignal.abort(new Error('before'))), { message: 'before' });
});
