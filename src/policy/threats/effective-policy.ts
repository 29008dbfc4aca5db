// What applies to a request: the policy of its team, changed field by field by the request, as far as the team allows that.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Grant } from '../../contracts/team/policy.ts';
import {
  DEFAULT_THREAT_POLICY,
  THREAT_MODES,
  type ThreatMode,
  type ThreatPolicy,
  type ThreatProtection,
} from '../../contracts/threats/threat-protection.ts';
import { notEnabled } from '../grants.ts';
import { RISK_SETTINGS } from './risk/risk-service.ts';

export interface EffectivePolicy {
  policy: ThreatPolicy & { mode: 'normal' | 'manual-only' };
  /** Whose lists they are, for the text of a refusal. */
  override: ThreatProtection;
  isSafeMode: boolean;
  /** Why it applies less than it says. */
  warning?: string;
}

interface Situation {
  grant: Grant;
  /** What the team has saved. */
  saved: ThreatPolicy | undefined;
  override: ThreatProtection | undefined;
  safeMode: boolean;
  hasRiskService: boolean;
  /** For work that was accepted earlier: what is no longer allowed is left out instead of refused. */
  isStored?: boolean;
}

/** With `safeMode`, services that are less sure count, too. */
const SAFE_MODE_THRESHOLD = 50;

const NO_SERVICE = `No risk service is set up on this server, so only the lists of your policy were applied. The operator can set up one with ${RISK_SETTINGS}.`;

export const protectionNotEnabled = () => notEnabled('Threat protection');

const overridesDisabled = () =>
  new ServiceError('FEATURE_NOT_ENABLED', {
    message:
      'Your team does not allow requests to change its threat policy. Send the request without `threatProtection`, or set `allowRequestOverrides` in the policy.',
  });

const enforced = (mode: ThreatMode, least: ThreatMode) =>
  new ServiceError('FEATURE_NOT_ENABLED', {
    message: `Threat protection is enforced for your team, so its mode cannot be lowered from \`${least}\` to \`${mode}\`. Leave out \`mode\`.`,
  });

export const needsRiskService = () =>
  new ServiceError('BAD_REQUEST', {
    message: `The mode \`normal\` with \`failurePolicy: closed\` needs a risk service, and this server has none: it would block every URL. The operator can set up one with ${RISK_SETTINGS}. Until then use \`mode: manual-only\`, or \`failurePolicy: open\`.`,
  });

/** Undefined if nothing applies. Throws FEATURE_NOT_ENABLED (403) and BAD_REQUEST. */
export function effectivePolicy(situation: Situation): EffectivePolicy | undefined {
  const { grant, saved, safeMode, hasRiskService, isStored = false } = situation;
  const base = teamPolicy(grant, saved, hasRiskService);
  const refusal = situation.override && overrideRefusal(grant, base, situation.override);
  if (refusal && !isStored) throw refusal;
  const override = (!refusal && situation.override) || {};
  const merged = { ...base, ...override };
  const policy = safeMode ? inSafeMode(merged, hasRiskService) : merged;
  const { mode, failurePolicy } = policy;
  if (mode === 'off') return undefined;
  const isUnserved = mode === 'normal' && !hasRiskService;
  if (isUnserved && failurePolicy === 'closed' && !isStored) throw needsRiskService();
  return {
    policy: { ...policy, mode },
    override,
    isSafeMode: safeMode,
    ...(isUnserved && failurePolicy === 'open' && { warning: NO_SERVICE }),
  };
}

/** The policy of a team before any request changes it. A team without the feature has none, whatever it once saved. */
export function teamPolicy(grant: Grant, saved: ThreatPolicy | undefined, hasRiskService: boolean): ThreatPolicy {
  const own = grant === 'absent' || !saved ? DEFAULT_THREAT_POLICY : saved;
  if (grant !== 'forced' || own.mode !== 'off') return own;
  // Enforced before the team has chosen: as strict as the server can be without blocking everything.
  return { ...own, mode: 'normal', failurePolicy: hasRiskService ? own.failurePolicy : 'open' };
}

function overrideRefusal(grant: Grant, base: ThreatPolicy, { mode }: ThreatProtection): ServiceError | undefined {
  if (grant === 'absent') return protectionNotEnabled();
  if (!base.allowRequestOverrides) return overridesDisabled();
  // A policy that is on is meant for all requests. Teams that let requests decide leave its mode at `off`.
  if (mode !== undefined && isWeaker(mode, base.mode)) return enforced(mode, base.mode);
  return undefined;
}

const isWeaker = (mode: ThreatMode, than: ThreatMode): boolean =>
  THREAT_MODES.indexOf(mode) < THREAT_MODES.indexOf(than);

/** A URL that no service could judge counts as unsafe, unless the server has no service at all. */
const inSafeMode = (policy: ThreatPolicy, hasRiskService: boolean): ThreatPolicy => ({
  ...policy,
  mode: 'normal',
  riskScoreThreshold: Math.min(policy.riskScoreThreshold, SAFE_MODE_THRESHOLD),
  failurePolicy: hasRiskService ? 'closed' : 'open',
});
