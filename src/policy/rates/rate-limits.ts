// Port: rate limits by team, key and bucket.
import type { KeyLimits, RateBucket } from '../../contracts/policy.ts';
import type { Team } from '../../store/team-store.ts';

export interface RateLimits {
  /** Takes one request. Throws RATE_LIMITED with `retryAfter`. Returns what the answer's headers say; undefined if unlimited. */
  take(from: { team: Team; keyId?: string; keyLimits?: KeyLimits }, bucket: RateBucket): RateState | undefined;
}

export interface RateState {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** When the bucket is full again, in milliseconds since 1970. */
  resetAt: number;
}
