// Rate limits that hold over several processes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RATE_BUCKETS, type RateBucket } from '../../../../../src/contracts/team/policy.ts';
import type { Limits } from '../../../../../src/policy/plan.ts';
import { createRateLimits } from '../../../../../src/policy/rates/create-rate-limits.ts';
import type { RateTaker } from '../../../../../src/policy/rates/rate-limits.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { MINUTE, START } from '../../../../conformance/samples.ts';
import { openProcesses, type SharedProcess } from './processes.ts';

const UNLIMITED = Object.fromEntries(RATE_BUCKETS.map((name) => [name, null])) as Limits['rates'];

function createScene(processes: SharedProcess[], scrape: number | null) {
  const scene = { time: START, skewMs: 0 };
  const limits = processes.map(({ limits: { tokenBuckets } }, at) =>
    createRateLimits({
      plans: { limitsOf: () => ({ rates: { ...UNLIMITED, scrape } }) as Limits },
      clock: { now: () => scene.time + at * scene.skewMs },
      buckets: tokenBuckets,
    }),
  );
  const from = (key?: { id: string; perMinute: number }): RateTaker => ({
    team: { id: 'team', name: 'team' },
    ...(key && { keyId: key.id, keyLimits: { requestsPerMinute: key.perMinute } }),
  });
  /** How many of so many requests, which reach all processes at once, are served. */
  const served = async (asked: number, taker = from(), bucket: RateBucket = 'scrape') => {
    const takes = Array.from({ length: asked }, (_, at) => limits[at % limits.length]!.take(taker, bucket));
    return (await Promise.allSettled(takes)).filter(({ status }) => status === 'fulfilled').length;
  };
  return Object.assign(scene, { limits, from, served });
}

describe('rate limits over several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('all processes together serve what the limit allows, and refill together', async (t) => {
    const scene = createScene(await openProcesses(t, 3), 10);
    assert.equal(await scene.served(30), 10);
    scene.time += 5_999;
    assert.equal(await scene.served(6), 0);
    scene.time += 1;
    assert.equal(await scene.served(6), 1);
    scene.time += 18_000;
    assert.equal(await scene.served(9), 3);
    scene.time += 10 * MINUTE;
    assert.equal(await scene.served(30), 10, 'a bucket never holds more than its limit');
  });

  test('a key and its team refuse together: nothing is taken from the one if the other is empty', async (t) => {
    const scene = createScene(await openProcesses(t, 2), 4);
    const key = scene.from({ id: 'k', perMinute: 3 });
    assert.equal(await scene.served(8, key), 3);
    assert.equal(await scene.served(8), 1, 'what the key refused took nothing of the team');
    scene.time += 20_000;
    assert.equal(await scene.served(4, key, 'map'), 1, 'what the team refused took nothing of the key');
  });

  test('the state and the refusal say the same as those of one process', async (t) => {
    const { limits, from, ...scene } = createScene(await openProcesses(t, 2), 2);
    const [one, other] = limits;
    assert.deepEqual(await one!.take(from(), 'scrape'), { limit: 2, remaining: 1, resetAt: START + 30_000 });
    assert.deepEqual(await other!.take(from(), 'scrape'), { limit: 2, remaining: 0, resetAt: START + MINUTE });
    await assert.rejects(one!.take(from(), 'scrape'), { code: 'RATE_LIMITED', retryAfter: 30 });
    assert.equal(await scene.served(2, from(), 'map'), 2, 'unlimited calls are not counted');
  });

  test('clocks that differ do not fill a bucket, and one that was far ahead does not lock it', async (t) => {
    const processes = await openProcesses(t, 2);
    const scene = createScene(processes, 10);
    scene.skewMs = 3_000;
    assert.equal(await scene.served(20), 10);
    for (let round = 0; round < 10; round += 1) assert.ok((await scene.served(4)) <= (round === 0 ? 1 : 0), `${round}`);
    scene.skewMs = 0;
    scene.time -= 24 * 60 * MINUTE;
    assert.equal(await scene.served(20), 10);
    scene.time += 6_000;
    assert.equal(await scene.served(4), 1);
  });

  test('what is given back can be taken again', async (t) => {
    const [one, other] = (await openProcesses(t, 2)).map(({ limits }) => limits.tokenBuckets);
    const limit = { name: 'logins', size: 1, refillMs: MINUTE };
    assert.equal((await one!.take([limit], START)).isTaken, true);
    assert.equal((await other!.take([limit], START)).isTaken, false);
    await one!.giveBack('logins');
    assert.equal((await other!.take([limit], START)).isTaken, true);
  });
});
