// Applies what a team was granted to the body of a request: refuses features that the team lacks, and sets those that are
// forced. Operations then only look at the body.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { KeyLimits } from '../contracts/team/policy.ts';
import type { Asked } from './asked.ts';
import type { Features } from './features.ts';
import type { CallPolicy } from './route-policy.ts';

/** Returns the fields that the body must have instead, if any. Throws FEATURE_NOT_ENABLED. */
export function applyGrants(
  features: Features,
  { stores }: Pick<CallPolicy, 'stores'>,
  asked: Asked,
  limits: KeyLimits = {},
): Partial<Asked> | undefined {
  if (features.zeroDataRetention === 'forced' && stores !== undefined) throw needsStorage(stores);
  if (features.zeroDataRetention === 'absent' && isTraceless(asked)) throw notEnabled('Zero data retention');
  if (features.anonymous === 'absent' && asked.enterprise?.includes('anon')) throw notEnabled('Anonymous search');
  if (features.threatProtection === 'absent' && asksForProtection(asked)) throw notEnabled('Threat protection');
  const isAnonymous = asked.enterprise && (features.anonymous === 'forced' || asked.enterprise.includes('anon'));
  if (isAnonymous && limits.monthlyCredits !== undefined) throw needsKey();
  return features.zeroDataRetention === 'forced' || features.anonymous === 'forced'
    ? forced(features, asked)
    : undefined;
}

const isTraceless = ({ zeroDataRetention, enterprise }: Asked): boolean =>
  zeroDataRetention === true || enterprise?.includes('zdr') === true;

const asksForProtection = ({ threatProtection, scrapeOptions, targets }: Asked): boolean =>
  threatProtection !== undefined ||
  scrapeOptions?.threatProtection !== undefined ||
  targets?.some((target) => target.scrapeOptions?.threatProtection !== undefined) === true;

/** Validation gives every body all fields that its operation knows, so only those are set. */
const forced = ({ zeroDataRetention, anonymous }: Features, asked: Asked): Partial<Asked> => ({
  ...(zeroDataRetention === 'forced' && {
    ...(asked.zeroDataRetention !== undefined && { zeroDataRetention: true }),
    // The state of a browser is content of the pages that it opened.
    ...(asked.profile && { profile: { ...asked.profile, saveChanges: false } }),
  }),
  ...(anonymous === 'forced' && asked.enterprise && { enterprise: [...asked.enterprise, 'anon'] }),
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
