// Rate limits: bursts, refill, buckets that do not share, keys with a rate of their own, and what is remembered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { rateHeaders } from '../../../../src/contracts/rate-state.ts';
import { RATE_BUCKETS, type RateBucket } from '../../../../src/contracts/team/policy.ts';
import type { Limits } from '../../../../src/policy/plan.ts';
import { createRateLimits } from '../../../../src/policy/rates/create-rate-limits.ts';
import type { RateTaker } from '../../../../src/policy/rates/rate-limits.ts';
import { createRecentBuckets } from '../../../../src/policy/rates/recent-buckets.ts';

const START = Date.UTC(2026, 10, 16, 12, 0, 0);
const MINUTE = 60_000;

type Rates = Partial<Record<RateBucket, number | null>>;

const limitsWith = (rates: Rates): Limits => ({
  rates: { ...(Object.fromEntries(RATE_BUCKETS.map((name) => [name, null])) as Limits['rates']), ...rates },
  maxConcurrency: null,
  maxQueued: null,
  monthlyCredits: null,
});

/** Every team has `rates`, unless its name is `unlimited`. */
function createScene(rates: Rates, maxBuckets?: number) {
  const scene = { time: START, rates };
  const buckets = createRecentBuckets(maxBuckets);
  const limits = createRateLimits({
    plans: { limitsOf: ({ name }) => limitsWith(name === 'unlimited' ? {} : scene.rates) },
    clock: { now: () => scene.time },
    buckets,
  });
  const take = (bucket: RateBucket = 'scrape', from: RateTaker = caller('a')) => limits.take(from, bucket);
  const refusal = async (bucket?: RateBucket, from?: RateTaker): Promise<ServiceError> => {
    try {
      await take(bucket, from);
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'RATE_LIMITED');
      return error;
    }
    assert.fail('The request was not refused.');
  };
  /** How many requests are taken before one is refused. */
  const burst = async (bucket?: RateBucket, from?: RateTaker): Promise<number> => {
    for (let taken = 0; taken < 100_000; taken += 1) {
      try {
        await take(bucket, from);
      } catch {
        return taken;
      }
    }
    return Number.POSITIVE_INFINITY;
  };
  return Object.assign(scene, { buckets, take, refusal, burst });
}

const caller = (name: string, key?: { id: string; perMinute?: number }): RateTaker => ({
  team: { id: `id-${name}`, name },
  ...(key && { keyId: key.id, keyLimits: { ...(key.perMinute && { requestsPerMinute: key.perMinute }) } }),
});

test('a limit of N a minute is a burst of N, and then one more every 60/N seconds', async () => {
  const scene = createScene({ scrape: 10 });
  assert.equal(await scene.burst(), 10);
  scene.time += 5_999;
  assert.equal(await scene.burst(), 0);
  scene.time += 1;
  assert.equal(await scene.burst(), 1);
  scene.time += 3 * 6_000;
  assert.equal(await scene.burst(), 3);
  scene.time += MINUTE;
  assert.equal(await scene.burst(), 10);
  scene.time += 1_000 * MINUTE;
  assert.equal(await scene.burst(), 10, 'a bucket never holds more than its limit');
});

test('a burst of N is taken whatever N is, and a refused caller who waits as told is served', async () => {
  for (const limit of [1, 2, 3, 7, 11, 49, 61, 997]) {
    const scene = createScene({ scrape: limit });
    assert.equal(await scene.burst(), limit);
    for (let round = 0; round < 50; round += 1) {
      const { retryAfter } = await scene.refusal();
      assert.ok(Number.isInteger(retryAfter) && retryAfter! >= 1 && retryAfter! <= 60);
      scene.time += retryAfter! * 1_000;
      assert.ok((await scene.burst()) >= 1, `${limit} a minute, round ${round}`);
    }
  }
});

test('over ten minutes of steady asking no more is served than the burst and the refill', async () => {
  for (const limit of [1, 7, 60, 613]) {
    const scene = createScene({ scrape: limit });
    let served = 0;
    for (let step = 0; step <= 600; step += 1, scene.time += 1_000) served += await scene.burst();
    assert.ok(served >= 11 * limit - 1 && served <= 11 * limit, `${limit} a minute: ${served}`);
  }
});

test('the state says what is left, and when the bucket is full again', async () => {
  const scene = createScene({ scrape: 10 });
  assert.deepEqual(await scene.take(), { limit: 10, remaining: 9, resetAt: START + 6_000 });
  assert.deepEqual(await scene.take(), { limit: 10, remaining: 8, resetAt: START + 12_000 });
  scene.time += 3_000;
  assert.deepEqual(await scene.take(), { limit: 10, remaining: 7, resetAt: START + 18_000 });
  scene.time += MINUTE;
  assert.deepEqual(await scene.take(), { limit: 10, remaining: 9, resetAt: scene.time + 6_000 });
});

test('the refusal has the text, the wait and the headers of the interface', async () => {
  const scene = createScene({ scrape: 10 });
  await scene.burst();
  scene.time += 500;
  const { message, retryAfter, headers, status } = await scene.refusal();
  assert.equal(
    message,
    'Rate limit exceeded. Consumed (req/min): 10, Remaining (req/min): 0. Please retry after 6s, resets at 2026-11-16T12:01:00.000Z',
  );
  assert.deepEqual([status, retryAfter], [429, 6]);
  assert.deepEqual(headers, {
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String((START + MINUTE) / 1_000),
  });
});

test('the reset in the headers is in whole seconds, and never too early', () => {
  const { 'x-ratelimit-reset': reset } = rateHeaders({ limit: 7, remaining: 3, resetAt: START + 1 });
  assert.equal(reset, String(START / 1_000 + 1));
});

test('asking while refused makes nobody wait longer', async () => {
  const scene = createScene({ scrape: 10 });
  await scene.burst();
  for (let asked = 0; asked < 5_999; asked += 1, scene.time += 1) await scene.refusal();
  scene.time += 1;
  assert.equal(await scene.burst(), 1);
});

test('teams and buckets do not share', async () => {
  const scene = createScene({ scrape: 2, crawl: 1, search: null });
  assert.deepEqual([await scene.burst('scrape'), await scene.burst('crawl')], [2, 1]);
  assert.equal(await scene.burst('search'), Number.POSITIVE_INFINITY);
  assert.deepEqual([await scene.burst('scrape', caller('b')), await scene.burst('crawl', caller('b'))], [2, 1]);
});

test('the calls of a key with a rate count together, and those of its team as well', async () => {
  const scene = createScene({ scrape: 4, map: 4 });
  const key = caller('a', { id: 'k', perMinute: 3 });
  assert.deepEqual(await scene.take('scrape', key), { limit: 3, remaining: 2, resetAt: START + 20_000 });
  await scene.take('map', key);
  await scene.take('search', key);
  assert.match((await scene.refusal('search', key)).message, /Consumed \(req\/min\): 3, .* retry after 20s/);
  assert.equal(
    await scene.burst('scrape', caller('a', { id: 'other' })),
    3,
    'the refused requests took nothing of the team',
  );
  assert.match((await scene.refusal('scrape', key)).message, /Consumed \(req\/min\): 3,/, 'the longer wait is named');
});

test('what a team refuses takes nothing from the rate of the key', async () => {
  const scene = createScene({ scrape: 1 });
  const key = caller('a', { id: 'k', perMinute: 3 });
  await scene.take('scrape', key);
  for (let asked = 0; asked < 10; asked += 1) await scene.refusal('scrape', key);
  assert.equal(await scene.burst('map', key), 2);
});

test('a rate of a key holds in an unlimited team, and keys do not share', async () => {
  const scene = createScene({});
  assert.equal(await scene.burst('scrape', caller('unlimited', { id: 'k', perMinute: 5 })), 5);
  assert.equal(await scene.burst('scrape', caller('unlimited', { id: 'l', perMinute: 6 })), 6);
  assert.equal(await scene.burst('scrape', caller('unlimited', { id: 'm' })), Number.POSITIVE_INFINITY);
});

test('a clock that is set back neither locks a team out nor fills its bucket', async () => {
  const scene = createScene({ scrape: 10 });
  await scene.burst();
  scene.time -= 86_400_000;
  assert.equal((await scene.refusal()).retryAfter, 6);
  scene.time += 6_000;
  assert.equal(await scene.burst(), 1);
});

test('a limit that changes holds at once', async () => {
  const scene = createScene({ scrape: 100 });
  for (let taken = 0; taken < 50; taken += 1) await scene.take();
  scene.rates = { scrape: 10 };
  assert.equal(await scene.burst(), 0);
  scene.time += 6_000;
  assert.equal(await scene.burst(), 1);
  scene.rates = { scrape: 1_000 };
  assert.equal(await scene.burst(), 990);
  scene.rates = { scrape: null };
  assert.equal(await scene.take(), undefined);
});

test('an unlimited team leaves nothing behind', async () => {
  const scene = createScene({ scrape: 1 });
  for (const bucket of RATE_BUCKETS) assert.equal(await scene.take(bucket, caller('unlimited')), undefined);
  assert.equal(scene.buckets.size, 0);
});

test('of thousands of teams only those of the last two minutes are remembered', async () => {
  const scene = createScene({ scrape: 10 });
  for (let n = 0; n < 5_000; n += 1, scene.time += 100) {
    await scene.take('scrape', caller(`team-${n}`));
    assert.ok(scene.buckets.size <= 1_200, `${scene.buckets.size}`);
  }
  scene.time += 10 * MINUTE;
  await scene.take();
  assert.equal(scene.buckets.size, 1);
});

test('forgetting is never noticed: a team that goes on asking has the same bucket', async () => {
  const scene = createScene({ scrape: 10 });
  assert.equal(await scene.burst(), 10);
  for (let step = 0; step < 100; step += 1) {
    scene.time += 6_000;
    await scene.take('scrape', caller(`other-${step}`));
    assert.equal(await scene.burst(), 1, `step ${step}`);
  }
});

test('many teams at once stay within the bound, and those in use are kept', async () => {
  const scene = createScene({ scrape: 10 }, 100);
  await scene.burst();
  for (let n = 0; n < 10_000; n += 1) {
    await scene.take('scrape', caller(`team-${n}`));
    if (n % 50 === 0) assert.equal(await scene.burst(), 0);
    assert.ok(scene.buckets.size <= 200);
  }
});
