// Waiting for a job: no longer than a client has patience, with progress, and cancelled with the call that started it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orCancel, waitForJob } from '../../../src/runtime/wait-for-job.ts';

/** Time passes only while somebody sleeps. */
function sleepers() {
  let now = 1_000;
  return {
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

const job = (endsAfter: number) => {
  let asked = 0;
  return {
    ask: async () => {
      asked += 1;
      return asked;
    },
    isOver: (count: number) => count >= endsAfter,
    progress: (count: number) => ({ done: count, total: endsAfter }),
    asked: () => asked,
  };
};

test('the last state is returned when the job is over, and every state was reported', async () => {
  const reported: unknown[] = [];
  const context = { signal: AbortSignal.any([]), report: (step: unknown) => reported.push(step), maxWaitMs: 60_000 };
  assert.equal(await waitForJob(job(3), context, sleepers()), 3);
  assert.deepEqual(
    reported,
    [1, 2, 3].map((done) => ({ done, total: 3 })),
  );
});

test('the wait ends on time, after few questions', async () => {
  const endless = job(Number.POSITIVE_INFINITY);
  const clock = sleepers();
  const context = { signal: AbortSignal.any([]), report: () => {}, maxWaitMs: 45_000 };
  await waitForJob(endless, context, clock);
  assert.equal(clock.now(), 46_000);
  assert.ok(endless.asked() < 30, String(endless.asked()));
});

test('without patience the first state is the answer', async () => {
  const context = { signal: AbortSignal.any([]), report: () => {}, maxWaitMs: 0 };
  assert.equal(await waitForJob(job(9), context, sleepers()), 1);
});

test('a job is cancelled if the call is, and only then', async () => {
  const calls: string[] = [];
  const cancel = async () => calls.push('cancelled');
  const failing = async () => {
    throw new Error('refused');
  };
  await assert.rejects(orCancel(AbortSignal.any([]), failing, cancel), /refused/);
  assert.deepEqual(calls, []);
  await assert.rejects(orCancel(AbortSignal.abort(new Error('gone')), failing, cancel));
  assert.deepEqual(calls, ['cancelled']);
  // It ended by itself meanwhile: the reason of the call stays.
  await assert.rejects(orCancel(AbortSignal.abort(), failing, failing), /refused/);
});
