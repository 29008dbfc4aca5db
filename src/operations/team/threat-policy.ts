// The threat policy of a team: what it is, and replacing it. A change applies to every request that starts afterwards.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ThreatPolicyResponse } from '../../contracts/threats/threat-protection.ts';
import type { FeaturesOf } from '../../policy/features.ts';
import { needsRiskService, protectionNotEnabled, teamPolicy } from '../../policy/threats/effective-policy.ts';
import type { PolicyCache } from '../../policy/threats/policy-cache.ts';
import type { RiskServices } from '../../policy/threats/risk/risk-service.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';

interface ThreatPolicyDeps {
  threatPolicies: PolicyCache;
  featuresOf: FeaturesOf;
  riskServices: Pick<RiskServices, 'isSetUp'>;
  clock: Pick<Clock, 'now'>;
}

/** Throws FEATURE_NOT_ENABLED. */
export const threatPolicy = (deps: ThreatPolicyDeps, { caller }: Call<'threatPolicy'>): Promise<ThreatPolicyResponse> =>
  policyOf(deps, caller.team);

async function policyOf(deps: ThreatPolicyDeps, team: Team): Promise<ThreatPolicyResponse> {
  const { threatPolicies, featuresOf, riskServices } = deps;
  const { threatProtection: grant } = featuresOf(team);
  if (grant === 'absent') throw protectionNotEnabled();
  const saved = await threatPolicies.find(team.id);
  return {
    success: true,
    data: {
      ...teamPolicy(grant, saved?.policy, riskServices.isSetUp),
      configured: saved !== undefined,
      updatedAt: saved ? iso(saved.updatedAt) : null,
    },
  };
}

/** Throws FEATURE_NOT_ENABLED, KEY_RESTRICTED, and BAD_REQUEST for a policy that would block everything. */
export async function setThreatPolicy(
  deps: ThreatPolicyDeps,
  { caller, body: policy }: Call<'setThreatPolicy'>,
): Promise<ThreatPolicyResponse> {
  const { threatPolicies, featuresOf, riskServices, clock } = deps;
  const { team, key: actor = 'operator', address } = caller;
  const { threatProtection: grant } = featuresOf(team);
  if (grant === 'absent') throw protectionNotEnabled();
  if (grant === 'forced' && policy.mode === 'off') throw new ServiceError('FEATURE_NOT_ENABLED', { message: ENFORCED });
  if (policy.mode === 'normal' && policy.failurePolicy === 'closed' && !riskServices.isSetUp) throw needsRiskService();
  await threatPolicies.save(team.id, policy, { actor, address, at: clock.now() });
  return policyOf(deps, team);
}

const ENFORCED =
  'Threat protection is enforced for your team, so its mode cannot be `off`. Use `normal` or `manual-only`.';
