// The refusal of work that a budget does not cover, and what the security log is told when it ends work under way.

import { ServiceError } from '../../contracts/errors/errors.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import type { Account } from '../../store/ports/teams/ledger.ts';
import { nextMonth } from '../../text/dates/months.ts';
import { iso } from '../../util/clock.ts';
import type { SecurityEvent } from '../audit/security-log.ts';

interface Shortage {
  needed: number;
  left: number;
  /** Credits a month. */
  limit: number;
  /** The budget of the key is the one that is used up. */
  isOfKey: boolean;
  now: number;
}

/** Public clients recognise the first sentence. */
export function insufficientCredits({ needed, left, limit, isOfKey, now }: Shortage): ServiceError {
  const budget = isOfKey ? `the ${limit} that this API key may use in a month` : `the ${limit} of your team's month`;
  return new ServiceError('INSUFFICIENT_CREDITS', {
    message: `Insufficient credits to perform this request. It needs ${count(needed)}; ${left} of ${budget} are left. Ask the operator of this server for more, or wait until ${iso(nextMonth(now)).slice(0, 10)} (UTC).`,
  });
}

const count = (credits: number): string => (credits === 1 ? '1 credit' : `${credits} credits`);

export const isShortage = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'INSUFFICIENT_CREDITS';

/** The policy stage records the requests that it refuses. This is for work that was accepted earlier. */
export const shortageEvent = ({ teamId, key }: Account, target: string): SecurityEvent => ({
  ...{ teamId, action: 'limit.reached', target: auditTarget(target), details: { code: 'INSUFFICIENT_CREDITS' } },
  ...(key !== undefined && { actor: key }),
});
