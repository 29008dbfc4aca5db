// What several processes must count together. A store that only one process uses has none of it: that process counts in memory.
import type { CreditReservations } from './credit-reservations.ts';
import type { LoginApprovals } from './login-approvals.ts';
import type { SharedProfileLocks } from './profile-locks.ts';
import type { TeamLoads } from './team-loads.ts';
import type { TeamPermits } from './team-permits.ts';
import type { TokenBuckets } from './token-buckets.ts';

export interface SharedLimits {
  tokenBuckets: TokenBuckets;
  creditHolds: CreditReservations;
  teamPermits: TeamPermits;
  teamLoads: TeamLoads;
  profileLocks: SharedProfileLocks;
  loginApprovals: LoginApprovals;
}
