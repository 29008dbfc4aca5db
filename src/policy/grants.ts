// Applies what a team was granted to the body of a request: refuses features that the team lacks, and sets those that are
// forced. Operations then only look at the body.
import { ServiceError } from '../contracts/errors.ts';
import type { KeyLimits } from '../contracts/policy.ts';
import type { Features } from './features.ts';
import type { RoutePolicy } from './route-policy.ts';

/** The fields of all bodies that name features. */
interface AskedFeatures {
  zeroDataRetention?: boolean;
  enterprise?: readonly string[];
  threatProtection?: unknown;
  scrapeOptions?: { threatProtection?: unknown };
  targets?: readonly { scrapeOptions?: { threatProtection?: unknown } }[];
  profile?: { saveChanges?: boolean };
}

/** Returns the body as the operation shall see it. Throws FEATURE_NOT_ENABLED. */
export function applyGrants(features: Features, policy: RoutePolicy, body: unknown, limits: KeyLimits = {}): unknown {
  if (features.zeroDataRetention === 'forced' && policy.stores !== undefined) throw needsStorage(policy.stores);
  if (typeof body !== 'object' || body === null) return body;
  const asked = body as AskedFeatures;
  if (features.zeroDataRetention === 'absent' && isTraceless(asked)) throw notEnabled('Zero data retention');
  if (features.anonymous === 'absent' && asked.enterprise?.includes('anon')) throw notEnabled('Anonymous search');
  if (features.threatProtection === 'absent' && asksForProtection(asked)) throw notEnabled('Threat protection');
  const isAnonymous = asked.enterprise && (features.anonymous === 'forced' || asked.enterprise.includes('anon'));
  if (isAnonymous && limits.monthlyCredits !== undefined) throw needsKey();
  return features.zeroDataRetention === 'forced' || features.anonymous === 'forced' ? forced(features, asked) : body;
}

const isTraceless = ({ zeroDataRetention, enterprise }: AskedFeatures): boolean =>
  zeroDataRetention === true || enterprise?.includes('zdr') === true;

const asksForProtection = ({ threatProtection, scrapeOptions, targets }: AskedFeatures): boolean =>
  threatProtection !== undefined ||
  scrapeOptions?.threatProtection !== undefined ||
  targets?.some((target) => target.scrapeOptions?.threatProtection !== undefined) === true;

/** Validation gives every body all fields that its operation knows, so only those are set. */
const forced = ({ zeroDataRetention, anonymous }: Features, body: AskedFeatures): AskedFeatures => ({
  ...body,
  ...(zeroDataRetention === 'forced' && {
    ...(body.zeroDataRetention !== undefined && { zeroDataRetention: true }),
    // The state of a browser is content of the pages that it opened.
    ...(body.profile && { profile: { ...body.profile, saveChanges: false } }),
  }),
  ...(anonymous === 'forced' && body.enterprise && { enterprise: [...body.enterprise, 'anon'] }),
});

export const notEnabled = (feature: string): ServiceError =>
  new ServiceError('FEATURE_NOT_ENABLED', {
    message: `${feature} is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.`,
  });

/** A budget of a key is counted by the ledger, in which anonymous searches have no key. */
const needsKey = (): ServiceError =>
  new ServiceError('KEY_RESTRICTED', {
    message:
      'Request blocked: this API key has a monthly budget, and anonymous searches cannot be counted by key. Use a key without a budget of its own.',
  });

const needsStorage = (reason: string): ServiceError =>
  new ServiceError('FEATURE_NOT_ENABLED', {
    message: `All requests of your team have zero data retention. ${reason}`,
  });
