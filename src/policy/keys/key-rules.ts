// What a key restricts, in the two moments of a request: before its body is read, and when the body is known.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyGroup, KeyLimits } from '../../contracts/team/policy.ts';
import { isUnrestrictedCaller } from '../../contracts/team/unrestricted-key.ts';
import type { Asked } from '../asked.ts';
import type { PolicyCaller } from '../policy-caller.ts';
import type { CallPolicy } from '../route-policy.ts';
import { checkDomains } from './key-domains.ts';
import { checkFormats } from './key-formats.ts';
import { createNetworkRule } from './networks.ts';
import { restricted } from './refusal.ts';

/** Throws NETWORK_NOT_ALLOWED or KEY_RESTRICTED. */
export function createKeyAdmission() {
  const checkNetwork = createNetworkRule();
  return (caller: PolicyCaller, { group, manages }: Pick<CallPolicy, 'group' | 'manages'>): void => {
    checkNetwork(caller);
    if (manages !== undefined) checkUnrestricted(caller, manages);
    if (caller.limits) checkGroup(caller.limits, group);
  };
}

/** Throws KEY_RESTRICTED. */
export function checkKeyScopes(limits: KeyLimits, { group }: Pick<CallPolicy, 'group'>, asked: Asked): void {
  checkFormats(limits, asked, group);
  checkDomains(limits, asked);
}

/** Keys that are restricted in any way manage nothing. */
function checkUnrestricted(caller: PolicyCaller, what: string): void {
  if (isUnrestrictedCaller(caller)) return;
  throw new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key is restricted, so it cannot ${what}. Use a key of your team without limits and without an expiry.`,
  });
}

/** Calls without a group, such as those about the team, are open to every key. */
export function checkGroup({ operations = [] }: KeyLimits, group: KeyGroup | undefined): void {
  if (operations.length === 0 || group === undefined || operations.includes(group)) return;
  throw restricted('operations', operations, 'operation', [group]);
}
