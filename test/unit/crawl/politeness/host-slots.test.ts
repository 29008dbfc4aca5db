// Waiting for a slot of a host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createHostSlots } from '../../../../src/crawl/politeness/host-slots.ts';
import { createPoliteness } from '../../../../src/crawl/politeness/politeness.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { soon } from '../../net/local.ts';

const HOST = 'site.test';
const GOOD = { ms: 10, status: 200 };

/** A clock that the test moves by hand, and that counts its sleepers. */
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
  const slots = createHostSlots(politeness, clock);
  const acquired: string[] = [];
  const acquire = (name: string, signal = soon()) =>
    slots.acquire(HOST, signal).then((release) => {
      acquired.push(name);
      return release;
    });
  return { clock, politeness, acquire, acquired };
}

test('a caller without a free slot waits until one is released', async () => {
  const { clock, acquire, acquired } = scene();
  const [release] = await Promise.all([acquire('a'), acquire('b')]);
  const waiting = acquire('c');
  await setImmediate();
  assert.deepEqual([acquired, clock.sleeping()], [['a', 'b'], 1]);
  release(GOOD);
  await waiting;
  assert.deepEqual([acquired, clock.sleeping()], [['a', 'b', 'c'], 0]);
});

test('releasing a slot twice frees it once', async () => {
  const { politeness, acquire } = scene();
  const release = await acquire('a');
  await acquire('b');
  release({});
  release({});
  assert.equal(politeness.freeSlots(HOST), 1);
});

test('slots held elsewhere are polled until one is free', async () => {
  const { clock, politeness, acquire, acquired } = scene();
  politeness.started(HOST);
  politeness.started(HOST);
  const waiting = acquire('a');
  await setImmediate();
  await clock.move(100);
  assert.deepEqual(acquired, []);
  politeness.finished(HOST, GOOD);
  await clock.move(100);
  await waiting;
  assert.deepEqual(acquired, ['a']);
});

test('the crawl delay of a host is respected', async () => {
  const { clock, politeness, acquire, acquired } = scene();
  politeness.setCrawlDelay(HOST, 5_000);
  const release = await acquire('a');
  const waiting = acquire('b');
  release(GOOD);
  await setImmediate();
  await clock.move(4_999);
  assert.deepEqual(acquired, ['a']);
  await clock.move(1);
  await waiting;
  assert.deepEqual(acquired, ['a', 'b']);
});

test('an aborted wait rejects with the reason and takes no slot', async () => {
  const { clock, politeness, acquire } = scene();
  politeness.started(HOST);
  politeness.started(HOST);
  const caller = new AbortController();
  const waiting = acquire('a', caller.signal);
  caller.abort(new Error('gone'));
  await assert.rejects(waiting, { message: 'gone' });
  assert.equal(clock.sleeping(), 0);
  politeness.finished(HOST, GOOD);
  assert.equal(politeness.freeSlots(HOST), 1);
  const slots = createHostSlots(politeness, systemClock);
  await assert.rejects(slots.acquire(HOST, AbortSignal.abort(new Error('before'))), { message: 'before' });
});
