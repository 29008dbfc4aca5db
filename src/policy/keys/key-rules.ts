// What a key restricts, in the two moments of a request: before its body is read, and when the body is known.
import type { AdmissionRule, RequestRule } from '../policy-stage.ts';
import { checkDomains, type UrlsBody } from './key-domains.ts';
import { checkFormats, type FormatsBody } from './key-formats.ts';
import { checkGroup } from './key-groups.ts';
import { createNetworkRule } from './networks.ts';
import { checkUnrestricted } from './unrestricted.ts';

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
