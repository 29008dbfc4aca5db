// The keys of a provider: which one is used, how long one is paused, and what is reported when all are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyRing } from '../../../../src/search/federation/key-ring.ts';
import { ProviderProblem } from '../../../../src/search/providers/provider-problem.ts';

const HOUR = 3_600_000;
const quota = (retryAfterMs?: number) => new ProviderProblem('quota', 'used up', { retryAfterMs });
const refused = (retryAfterMs?: number) => new ProviderProblem('key', 'not taken', { retryAfterMs });

function setUp(keys: string[]) {
  let time = 1_000_000;
  const ring = createKeyRing(keys, { now: () => time });
  return {
    ring,
    next: () => ring.ready()[0]?.value,
    pauseNext: (problem: ProviderProblem) => ring.pause(ring.ready()[0]!, problem),
    pass(ms: number) {
      time += ms;
    },
  };
}

test('the first key is used until its quota is exhausted, then the next, and the first again after its pause', () => {
  const { next, pauseNext, pass } = setUp(['a', 'b']);
  assert.deepEqual([next(), next()], ['a', 'a']);
  pauseNext(quota(5_000));
  assert.equal(next(), 'b');
  pass(4_999);
  assert.equal(next(), 'b');
  pass(1);
  assert.equal(next(), 'a');
});

test('a key is paused for an hour by default, and always when it is refused', () => {
  for (const problem of [quota(), refused(), refused(1_000)]) {
    const { ring, next, pauseNext, pass } = setUp(['a']);
    pauseNext(problem);
    pass(HOUR - 1);
    assert.deepEqual(ring.ready(), []);
    pass(1);
    assert.equal(next(), 'a');
  }
});

test('when all keys are paused, the reported problem is that of the first one to return', () => {
  const { ring, pauseNext } = setUp(['a', 'b', 'c']);
  pauseNext(refused());
  pauseNext(quota(1_000));
  const long = quota(2_000);
  pauseNext(long);
  assert.deepEqual(ring.ready(), []);
  assert.equal(ring.problem?.retryAfterMs, 1_000);
});

test('a provider without keys is asked without one, and paused for a minute', () => {
  const { ring, pauseNext, pass } = setUp([]);
  assert.deepEqual(
    ring.ready().map(({ value }) => value),
    [undefined],
  );
  pauseNext(quota());
  assert.deepEqual(ring.ready(), []);
  pass(60_000);
  assert.equal(ring.ready().length, 1);
});
