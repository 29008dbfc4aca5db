// The monthly credits that a team and a key may use.
import type { Plans } from '../plan.ts';
import type { Payer } from './budgets.ts';

/** Monthly credits. Infinity: no budget. */
export interface CreditLimits {
  team: number;
  key: number;
}

/** Undefined: no budget at all. */
export function creditLimits(plans: Pick<Plans, 'limitsOf'>, { team, key, limits }: Payer): CreditLimits | undefined {
  const ofTeam = plans.limitsOf(team).monthlyCredits ?? Number.POSITIVE_INFINITY;
  const ofKey = key === undefined ? Number.POSITIVE_INFINITY : (limits?.monthlyCredits ?? Number.POSITIVE_INFINITY);
  return ofTeam === Number.POSITIVE_INFINITY && ofKey === Number.POSITIVE_INFINITY
    ? undefined
    : { team: ofTeam, key: ofKey };
}
