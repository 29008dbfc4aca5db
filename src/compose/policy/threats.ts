// Threat protection: the policies of teams, the risk services that the operator has set up, and the threat checks made of them.
import { join } from 'node:path';
import type { Config } from '../../config/settings.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { Egress } from '../../net/egress.ts';
import type { FeaturesOf } from '../../policy/features.ts';
import { createPolicyCache } from '../../policy/threats/policy-cache.ts';
import { guardService } from '../../policy/threats/risk/guarded-service.ts';
import { createJsonService } from '../../policy/threats/risk/json-service.ts';
import { createThreatLists } from '../../policy/threats/risk/lists/threat-lists.ts';
import type { RiskService } from '../../policy/threats/risk/risk-service.ts';
import { createRiskServices } from '../../policy/threats/risk/risk-services.ts';
import { createWebRisk } from '../../policy/threats/risk/web-risk.ts';
import { createThreats } from '../../policy/threats/threats.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

interface Parts {
  store: Pick<Store, 'teams' | 'threatPolicies' | 'wakeUps'>;
  egress: Pick<Egress, 'request'>;
  featuresOf: FeaturesOf;
  clock: Clock;
  log: Log;
}

export function composeThreats(config: Config, parts: Parts) {
  const { store, featuresOf, clock } = parts;
  const policies = createPolicyCache({ store: store.threatPolicies, isShared: store.wakeUps.isShared, clock });
  const services = createRiskServices(composeServices(config, parts));
  const threats = createThreats({
    policies,
    teams: store.teams,
    grantOf: (team) => featuresOf(team).threatProtection,
    services,
    scanCredits: PRICES.threatScan,
    clock,
  });
  return { threats, threatPolicies: policies, riskServices: services };
}

function composeServices(config: Config, { egress, clock, log }: Parts): RiskService[] {
  const { webRiskKey, webRiskUrl, riskUrl, riskHeader, threatLists, dataDir } = config;
  const asked: RiskService[] = [];
  if (webRiskKey !== undefined) asked.push(createWebRisk({ key: webRiskKey, baseUrl: webRiskUrl }, { egress, clock }));
  if (riskUrl !== undefined) asked.push(createJsonService({ address: riskUrl, header: riskHeader }, egress));
  const guarded = asked.map((service) => guardService(service, { clock, log }));
  if (threatLists.length === 0) return guarded;
  return [createThreatLists(threatLists, { folder: join(dataDir, 'threat-lists'), egress, clock, log }), ...guarded];
}

/** The origins that risk services and lists are at, which requests to them may reach and no others. */
export const riskOrigins = ({ webRiskKey, webRiskUrl, riskUrl, threatLists }: Config): string[] =>
  [webRiskKey === undefined ? undefined : webRiskUrl, riskUrl?.replaceAll('{url}', 'x'), ...threatLists]
    .filter((address) => address !== undefined && /^https?:\/\//i.test(address))
    .map((address) => new URL(address!).origin);
