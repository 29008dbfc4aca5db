// Retries: what is retried, how long the pauses are, and when the target's answer is final.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { withRetries } from '../../../src/fetch/retry.ts';
import { retryAfter } from '../../../src/net/http/retry-after.ts';
import { wireFailure } from '../../../src/net/wire-failure.ts';

const signal = new AbortController().signal;

function fakeClock() {
  const pauses: number[] = [];
  let now = 0;
  return {
    pauses,
    now: () => now,
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
  };
}

const answers =
  (...list: ({ status: number; headers: Record<string, string> } | Error)[]) =>
  async () => {
    const next = list.length > 1 ? list.shift()! : list[0]!;
    if (next instanceof Error) throw next;
    return next;
  };
const busy = (retry: string) => ({ status: 503, headers: { 'retry-after': retry } });
const fine = { status: 200, headers: {} };
const reset = () => wireFailure(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));

test('a successful answer is final', async () => {
  const clock = fakeClock();
  assert.equal((await withRetries(answers(fine), { clock, deadline: 1e9, signal })).status, 200);
  assert.deepEqual(clock.pauses, []);
});

test('connection failures are retried with growing pauses, three attempts in all', async () => {
  const clock = fakeClock();
  assert.equal((await withRetries(answers(reset(), reset(), fine), { clock, deadline: 1e9, signal })).status, 200);
  assert.deepEqual(clock.pauses, [250, 500]);
  await assert.rejects(withRetries(answers(reset()), { clock: fakeClock(), deadline: 1e9, signal }), {
    code: 'SCRAPE_SITE_ERROR',
  });
});

test('a refused address is final', async () => {
  const clock = fakeClock();
  await assert.rejects(withRetries(answers(new ServiceError('UNSUPPORTED_SITE')), { clock, deadline: 1e9, signal }));
  assert.deepEqual(clock.pauses, []);
});

test('Retry-After is honoured up to ten seconds in all, then the answer is final', async () => {
  const clock = fakeClock();
  assert.equal((await withRetries(answers(busy('6'), busy('6'), fine), { clock, deadline: 1e9, signal })).status, 503);
  assert.deepEqual(clock.pauses, [6000]);
});

test('callers that handle busy hosts themselves get the answer at once; connection failures are still retried', async () => {
  const clock = fakeClock();
  const patience = { clock, deadline: 1e9, isBusyFinal: true, signal };
  assert.equal((await withRetries(answers(reset(), busy('1'), fine), patience)).status, 503);
  assert.deepEqual(clock.pauses, [250]);
});

test('no pause exceeds the time budget', async () => {
  const clock = fakeClock();
  assert.equal((await withRetries(answers(busy('2'), fine), { clock, deadline: 1500, signal })).status, 503);
  assert.deepEqual(clock.pauses, []);
});

test('Retry-After is read as seconds or as a date', () => {
  assert.equal(retryAfter('3', 0), 3000);
  assert.equal(retryAfter('Thu, 01 Jan 1970 00:00:05 GMT', 1000), 4000);
  assert.equal(retryAfter('soon', 0), undefined);
  assert.equal(retryAfter(undefined, 0), undefined);
});
