// Who may manage keys, teams and what protects them. A key that is restricted in any way manages nothing: it could make a
// stronger one.
import { ServiceError } from '../../contracts/errors.ts';
import type { KeyLimits } from '../../contracts/policy.ts';
import { isUnrestrictedKey } from '../../contracts/unrestricted-key.ts';
import { DEFAULT_TEAM } from './keys.ts';

interface Holder {
  team: { name: string };
  limits?: KeyLimits;
  expiresAt?: number | null;
}

/** No limits and no end. True for callers without a stored key: the operator's key, or authentication that is off. */
export const isUnrestricted = ({ limits = {}, expiresAt = null }: Pick<Holder, 'limits' | 'expiresAt'>): boolean =>
  isUnrestrictedKey(limits, expiresAt);

/** The operator manages all teams: with a key of the first team that is not restricted. */
export const isOperator = (caller: Holder): boolean => caller.team.name === DEFAULT_TEAM && isUnrestricted(caller);

/** Throws KEY_RESTRICTED. `what` completes "it cannot". */
export function refuseRestrictedKey(caller: Holder, what: string): void {
  if (isUnrestricted(caller)) return;
  throw new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key is restricted, so it cannot ${what}. Use a key of your team without limits and without an expiry.`,
  });
}
