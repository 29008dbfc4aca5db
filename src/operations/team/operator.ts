// Who the operator is: somebody with a key of the first team that is not restricted in any way.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyLimits } from '../../contracts/team/policy.ts';
import { isUnrestrictedCaller } from '../../contracts/team/unrestricted-key.ts';
import { DEFAULT_TEAM } from './keys.ts';

/** Stands for the operator's key where others show their prefix: it may be too short to show a part of it. */
export const OPERATOR_KEY = 'TRAWL_API_KEY';

interface Holder {
  team: { name: string };
  limits?: KeyLimits;
  expiresAt?: number | null;
}

export const isOperator = (caller: Holder): boolean =>
  caller.team.name === DEFAULT_TEAM && isUnrestrictedCaller(caller);

/** The operator manages all teams. Throws OPERATOR_ONLY. */
export function requireOperator(caller: Holder): void {
  if (!isOperator(caller)) throw new ServiceError('OPERATOR_ONLY');
}
