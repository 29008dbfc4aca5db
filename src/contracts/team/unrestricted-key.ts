// When a key is not restricted at all. Apart from its contract: the store thread loads no validator.
import type { KeyLimits } from './policy.ts';

/** Such a key may do everything that its team may, for as long as it is not revoked. An empty list or a ranking restricts nothing. */
export const isUnrestrictedKey = (limits: KeyLimits, expiresAt: number | null): boolean =>
  expiresAt === null &&
  Object.entries(limits).every(([name, limit]) => name === 'ranking' || (Array.isArray(limit) && limit.length === 0));

/** True for callers without a stored key: the operator's key, or authentication that is off. */
export const isUnrestrictedCaller = ({
  limits = {},
  expiresAt = null,
}: {
  limits?: KeyLimits;
  expiresAt?: number | null;
}): boolean => isUnrestrictedKey(limits, expiresAt);
