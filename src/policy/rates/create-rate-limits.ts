// Rate limits by token buckets: one for each team and bucket of calls, and one for each key that has a rate of its own, which
// counts all its calls together.
import type { RateBucket } from '../../contracts/policy.ts';
import type { RateState } from '../../contracts/rate-state.ts';
import type { Clock } from '../../util/clock.ts';
import type { Plans } from '../plan.ts';
import type { RateLimits, RateTaker } from './rate-limits.ts';
import { rateLimited } from './rate-refusal.ts';
import { createRecentBuckets, type RecentBuckets } from './recent-buckets.ts';
import { refill, stateOf, type TokenBucket, waitMs } from './token-bucket.ts';

interface Deps {
  plans: Pick<Plans, 'limitsOf'>;
  clock: Pick<Clock, 'now'>;
  buckets?: RecentBuckets;
}

interface Limited {
  bucket: TokenBucket;
  limit: number;
}

export function createRateLimits({ plans, clock, buckets = createRecentBuckets() }: Deps): RateLimits {
  const find = (name: string, limit: number, now: number): Limited => {
    const bucket = buckets.get(name, now);
    refill(bucket, limit, now);
    return { bucket, limit };
  };
  const limitsFor = ({ team, keyId, keyLimits }: RateTaker, name: RateBucket): Limited[] => {
    const ofTeam = plans.limitsOf(team).rates[name];
    const ofKey = keyId === undefined ? undefined : keyLimits?.requestsPerMinute;
    // Most installations limit nobody, and nothing is done for them.
    if (ofTeam === null && ofKey === undefined) return [];
    const now = clock.now();
    return [
      ...(ofTeam === null ? [] : [find(`${team.id} ${name}`, ofTeam, now)]),
      ...(ofKey === undefined ? [] : [find(`key ${keyId}`, ofKey, now)]),
    ];
  };

  return {
    take(from, name) {
      const limited = limitsFor(from, name);
      // Nothing is taken from one bucket if the other one refuses.
      refuseEmpty(limited);
      for (const { bucket } of limited) bucket.used += 1;
      return tightest(limited);
    },
  };
}

function refuseEmpty(limited: readonly Limited[]): void {
  let longest = 0;
  let empty: Limited | undefined;
  for (const each of limited) {
    const wait = waitMs(each.bucket, each.limit);
    if (wait <= longest) continue;
    longest = wait;
    empty = each;
  }
  if (empty) throw rateLimited(stateOf(empty.bucket, empty.limit), longest);
}

/** The limit that refuses first if the caller goes on. */
function tightest(limited: readonly Limited[]): RateState | undefined {
  const states = limited.map(({ bucket, limit }) => stateOf(bucket, limit));
  return states.reduce<RateState | undefined>(
    (least, state) => (least && least.remaining <= state.remaining ? least : state),
    undefined,
  );
}
