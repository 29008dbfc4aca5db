// Binds the threat policies of teams. They are loaded with the first request, to keep an idle service small.

import type { THREAT_ROUTES } from '../../contracts/threat-routes.ts';
import type { Operations } from '../../operations/call.ts';
import type { ThreatPolicyDeps } from '../../operations/team/threat-policy.ts';

export function bindThreats(deps: ThreatPolicyDeps): Pick<Operations, keyof typeof THREAT_ROUTES> {
  const load = () => import('../../operations/team/threat-policy.ts');
  return {
    threatPolicy: async ({ caller }) => (await load()).readThreatPolicy(deps, caller),
    setThreatPolicy: async ({ caller, body }) => (await load()).saveThreatPolicy(deps, caller, body),
  };
}
