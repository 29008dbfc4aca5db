// Port: rate limits by team, key and bucket.

import type { RateState } from '../../contracts/rate-state.ts';
import type { KeyLimits, RateBucket } from '../../contracts/team/policy.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';

export interface RateLimits {
  /** Takes one request. Throws RATE_LIMITED. Returns what the headers of the answer say; undefined if unlimited. */
  take(from: RateTaker, bucket: RateBucket): Promise<RateState | undefined>;
}

export interface RateTaker {
  team: Team;
  keyId?: string;
  keyLimits?: KeyLimits;
}
