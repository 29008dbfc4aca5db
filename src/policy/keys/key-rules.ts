// What a key restricts, in the two moments of a request: before its body is read, and when the body is known.
import { ServiceError } from '../../contracts/errors.ts';
import type { KeyGroup, KeyLimits } from '../../contracts/policy.ts';
import { isUnrestrictedCaller } from '../../contracts/unrestricted-key.ts';
import type { AdmissionRule, PolicyCaller, RequestRule } from '../policy-stage.ts';
import { checkDomains, type UrlsBody } from './key-domains.ts';
import { checkFormats, type FormatsBody } from './key-formats.ts';
import { createNetworkRule } from './networks.ts';
import { restricted } from './refusal.ts';

/** Throws NETWORK_NOT_ALLOWED or KEY_RESTRICTED. */
export function createKeyAdmission(): AdmissionRule {
  const checkNetwork = createNetworkRule();
  return (caller, { group, manages }) => {
    checkNetwork(caller);
    if (manages !== undefined) checkUnrestricted(caller, manages);
    if (caller.limits) checkGroup(caller.limits, group);
  };
}

/** Throws KEY_RESTRICTED. */
export const checkKeyScopes: RequestRule = ({ limits }, { group }, body) => {
  if (!limits || typeof body !== 'object' || body === null) return;
  checkFormats(limits, body as FormatsBody, group);
  checkDomains(limits, body as UrlsBody);
};

/** Keys that are restricted in any way manage nothing. */
function checkUnrestricted(caller: PolicyCaller, what: string): void {
  if (isUnrestrictedCaller(caller)) return;
  throw new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key is restricted, so it cannot ${what}. Use a key of your team without limits and without an expiry.`,
  });
}

/** Calls without a group, such as those about the team, are open to every key. */
function checkGroup({ operations = [] }: KeyLimits, group: KeyGroup | undefined): void {
  if (operations.length === 0 || group === undefined || operations.includes(group)) return;
  throw restricted('operations', operations, 'operation', [group]);
}
