// The keys of a provider: which one is used, how long one rests, and what is said when all of them do.
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
    restNext: (problem: ProviderProblem) => ring.pause(ring.ready()[0]!, problem),
    pass(ms: number) {
      time += ms;
    },
  };
}

test('the first key is used until it is used up, then the next, and the first again after its rest', () => {
  const { next, restNext, pass } = setUp(['a', 'b']);
  assert.deepEqual([next(), next()], ['a', 'a']);
  restNext(quota(5_000));
  assert.equal(next(), 'b');
  pass(4_999);
  assert.equal(next(), 'b');
  pass(1);
  assert.equal(next(), 'a');
});

test('a key rests for an hour where nobody says how long, and always when it is refused', () => {
  for (const problem of [quota(), refused(), refused(1_000)]) {
    const { ring, next, restNext, pass } = setUp(['a']);
    restNext(problem);
    pass(HOUR - 1);
    assert.deepEqual(ring.ready(), []);
    pass(1);
    assert.equal(next(), 'a');
  }
});

test('when all rest, the reason is that of the one which is back first', () => {
  const { ring, restNext } = setUp(['a', 'b', 'c']);
  restNext(refused());
  restNext(quota(1_000));
  const long = quota(2_000);
  restNext(long);
  assert.deepEqual(ring.ready(), []);
  assert.equal(ring.problem?.retryAfterMs, 1_000);
});

test('a provider without a key is asked without one, and rests for a minute', () => {
  const { ring, restNext, pass } = setUp([]);
  assert.deepEqual(
    ring.ready().map(({ value }) => value),
    [undefined],
  );
  restNext(quota());
  assert.deepEqual(ring.ready(), []);
  pass(60_000);
  assert.equal(ring.ready().length, 1);
});
