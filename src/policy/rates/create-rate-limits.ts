// Rate limits by token buckets: one for each team and bucket of calls, and one for each key that has a rate of its own, which
// counts all its calls together.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { type RateState, rateHeaders } from '../../contracts/rate-state.ts';
import type { RateBucket } from '../../contracts/team/policy.ts';
import type { BucketLimit, TokenBucket, TokenBuckets } from '../../store/ports/limits/token-buckets.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Plans } from '../plan.ts';
import type { RateLimits, RateTaker } from './rate-limits.ts';
import { createRecentBuckets } from './recent-buckets.ts';
import { REFILL_MS, stateOf, waitMs } from './token-bucket.ts';

interface Deps {
  plans: Pick<Plans, 'limitsOf'>;
  clock: Pick<Clock, 'now'>;
  /** By default those of this process. */
  buckets?: Pick<TokenBuckets, 'take'>;
}

export function createRateLimits({ plans, clock, buckets = createRecentBuckets() }: Deps): RateLimits {
  const limitsFor = ({ team, keyId, keyLimits }: RateTaker, name: RateBucket): BucketLimit[] => {
    const ofTeam = plans.limitsOf(team).rates[name];
    const ofKey = keyId === undefined ? undefined : keyLimits?.requestsPerMinute;
    return [
      ...(ofTeam === null ? [] : [{ name: `${team.id} ${name}`, size: ofTeam, refillMs: REFILL_MS }]),
      ...(ofKey === undefined ? [] : [{ name: `key ${keyId}`, size: ofKey, refillMs: REFILL_MS }]),
    ];
  };

  return {
    async take(from, name) {
      const limits = limitsFor(from, name);
      // Most installations limit nobody, and nothing is done for them.
      if (limits.length === 0) return undefined;
      const taken = await buckets.take(limits, clock.now());
      if (!taken.isTaken) throw refusal(limits, taken.buckets);
      return tightest(limits, taken.buckets);
    },
  };
}

/** Tells of the bucket that takes longest to refill. */
function refusal(limits: readonly BucketLimit[], buckets: readonly TokenBucket[]) {
  const waits = buckets.map((bucket, at) => waitMs(bucket, limits[at]!));
  const longest = Math.max(...waits);
  const at = waits.indexOf(longest);
  return rateLimited(stateOf(buckets[at]!, limits[at]!), longest);
}

/** The limit that refuses first if the caller goes on. */
function tightest(limits: readonly BucketLimit[], buckets: readonly TokenBucket[]): RateState | undefined {
  const states = buckets.map((bucket, at) => stateOf(bucket, limits[at]!));
  return states.reduce<RateState | undefined>(
    (least, state) => (least && least.remaining <= state.remaining ? least : state),
    undefined,
  );
}

/** Clients look for the words of this text, so it is the one of the public interface. */
function rateLimited(state: RateState, waitMs: number): ServiceError {
  const { limit, remaining, resetAt } = state;
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('RATE_LIMITED', {
    message:
      `Rate limit exceeded. Consumed (req/min): ${limit - remaining}, Remaining (req/min): ${remaining}. ` +
      `Please retry after ${retryAfter}s, resets at ${iso(resetAt)}`,
    retryAfter,
    headers: rateHeaders(state),
  });
}
