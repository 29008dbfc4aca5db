// Keys that are restricted in any way manage nothing.
import { ServiceError } from '../../contracts/errors.ts';
import { isUnrestrictedCaller } from '../../contracts/unrestricted-key.ts';
import type { PolicyCaller } from '../policy-stage.ts';

/** Throws KEY_RESTRICTED. */
export function checkUnrestricted(caller: PolicyCaller, what: string): void {
  if (isUnrestrictedCaller(caller)) return;
  throw new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key is restricted, so it cannot ${what}. Use a key of your team without limits and without an expiry.`,
  });
}
