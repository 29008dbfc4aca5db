// Threat protection: the policies of teams, the risk services that the operator has set up, and the judges made of them.
import type { Config } from '../../config/settings.ts';
import type { Egress } from '../../net/egress.ts';
import type { FeaturesOf } from '../../policy/features.ts';
import { createPolicyCache } from '../../policy/threats/policy-cache.ts';
import { createRiskServices } from '../../policy/threats/risk/risk-services.ts';
import { createThreats } from '../../policy/threats/threats.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';

interface Parts {
  store: Pick<Store, 'teams' | 'threatPolicies'>;
  egress: Pick<Egress, 'request'>;
  featuresOf: FeaturesOf;
  clock: Clock;
  log: Log;
}

const SCAN_CREDITS = 2;

export function composeThreats(_config: Config, { store, featuresOf, clock }: Parts) {
  const policies = createPolicyCache(store.threatPolicies);
  const services = createRiskServices([]);
  const threats = createThreats({
    policies,
    teams: store.teams,
    grantOf: (team) => featuresOf(team).threatProtection,
    services,
    scanCredits: SCAN_CREDITS,
    clock,
  });
  return { threats, threatPolicies: policies, riskServices: services };
}
