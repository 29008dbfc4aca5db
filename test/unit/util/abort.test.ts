// Time budgets: when they end, and when they are paused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { onAbort, raceTimeout, startDeadline } from '../../../src/util/abort.ts';

const over = () => new Error('over');
const isOver = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

test('a budget aborts with its own reason, or with that of the outer signal', async () => {
  const own = startDeadline(5, over);
  await isOver(own.signal);
  assert.equal(own.signal.reason.message, 'over');
  const outer = new AbortController();
  const inner = startDeadline(60_000, over, outer.signal);
  outer.abort(new Error('outer'));
  assert.equal(inner.signal.reason.message, 'outer');
  inner.done();
});

test('no time passes while a budget is held', async () => {
  const budget = startDeadline(20, over);
  const release = budget.pause();
  await sleep(60);
  assert.equal(budget.signal.aborted, false);
  const held = release();
  assert.ok(held >= 50 && Number.isInteger(held), String(held));
  assert.equal(budget.signal.aborted, false);
  await isOver(budget.signal);
});

test('a budget that is done never aborts', async () => {
  const budget = startDeadline(5, over);
  budget.done();
  await sleep(20);
  assert.equal(budget.signal.aborted, false);
});

test('raceTimeout returns the fallback if the work is late, and rejects if the signal aborts', async () => {
  const never = new Promise<string>(() => {});
  assert.equal(await raceTimeout(Promise.resolve('done'), 60_000, () => 'late'), 'done');
  assert.equal(await raceTimeout(never, 1, () => 'late'), 'late');
  const caller = new AbortController();
  const waiting = raceTimeout(never, 60_000, () => 'late', { signal: caller.signal });
  caller.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
});

test('an abort listener is removed at the end of its scope', () => {
  const caller = new AbortController();
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  {
    using _count = onAbort(caller.signal, count);
  }
  using _count = onAbort(caller.signal, count);
  caller.abort();
  assert.equal(calls, 1);
});
