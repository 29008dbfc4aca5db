// What all processes count together: rates, credits that are set aside, what teams run, locks of profiles, and logins.
import type { SharedLimits } from '../../ports/limits/shared-limits.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import { createCreditReservationRows } from './credit-reservation-rows.ts';
import { createLoginApprovalRows } from './login-approval-rows.ts';
import { createProfileLockRows } from './profile-lock-rows.ts';
import { createTeamLoadRows } from './team-load-rows.ts';
import { createTeamPermitRows } from './team-permit-rows.ts';
import { createTokenBucketRows } from './token-bucket-rows.ts';

export function createLimitParts(base: Pick<Base, 'database'>): { ports: SharedLimits; removers: Remover[] } {
  const tokenBuckets = createTokenBucketRows(base);
  const loginApprovals = createLoginApprovalRows(base);
  return {
    ports: {
      tokenBuckets,
      creditHolds: createCreditReservationRows(base),
      teamPermits: createTeamPermitRows(base),
      teamLoads: createTeamLoadRows(base),
      profileLocks: createProfileLockRows(base),
      loginApprovals,
    },
    removers: [tokenBuckets.removeFull, loginApprovals.removeExpired],
  };
}
