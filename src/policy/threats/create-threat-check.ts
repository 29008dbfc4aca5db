// The threat check of one scope: the domains of the key, then the rules of the team, then the risk services.

import { type DomainList, readDomainList } from '../../urls/domain-patterns.ts';
import { normaliseUrl } from '../../urls/url.ts';
import { raceAbort } from '../../util/abort.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { domainRefusal } from '../keys/key-domains.ts';
import { canonicalHost } from './canonical-host.ts';
import type { EffectivePolicy } from './effective-policy.ts';
import type { OwnRules } from './own-rules.ts';
import { type BlockReason, blockRefusal } from './refusals.ts';
import type { RiskServices } from './risk/risk-service.ts';
import type { ThreatCheck } from './threat-check.ts';

export interface ThreatCheckParts {
  /** Absent if only the domains of the key restrict the request. */
  effective?: EffectivePolicy;
  rules: OwnRules;
  keyDomains?: readonly string[];
  isOffline?: boolean;
  services: Pick<RiskServices, 'isSetUp' | 'assess'>;
  /** Credits for each URL that a service was asked about. */
  scanCredits: number;
  paidBy?: Pick<ThreatCheck, 'isPaid'>;
}

/** Decisions that one scope remembers. A browser session may open any number of URLs. */
const MAX_DECISIONS = 20_000;

/** Decisions are shared by all who ask in a scope: they end by the time limits of the services alone. */
const ENDLESS = AbortSignal.any([]);

export function createThreatCheck(parts: ThreatCheckParts): ThreatCheck {
  const { effective, rules, keyDomains = [], isOffline = false, services, scanCredits, paidBy } = parts;
  const isKeyDomain: DomainList | undefined = keyDomains.length > 0 ? readDomainList(keyDomains) : undefined;
  const decisions = createBoundedMap<string, Promise<BlockReason | undefined>>({ maxEntries: MAX_DECISIONS });
  const paid = createBoundedMap<string, true>({ maxEntries: MAX_DECISIONS });
  let scanned = 0;
  let unchecked = 0;

  const isForbiddenToKey = (url: URL) => isKeyDomain !== undefined && isKeyDomain(canonicalHost(url)) === undefined;

  const askServices = async (
    url: URL,
    { policy }: EffectivePolicy,
    terms: { isOffline: boolean },
  ): Promise<BlockReason | undefined> => {
    const { riskScoreThreshold: threshold, failurePolicy } = policy;
    if (!services.isSetUp) return failurePolicy === 'closed' ? { rule: 'unchecked' } : undefined;
    const { score, isBilled, hasFailed } = await services.assess(url, { threshold, ...terms }, ENDLESS);
    if (isBilled && !paidBy?.isPaid(url)) {
      scanned += 1;
      paid.set(normaliseUrl(url), true);
    }
    if (score >= threshold) return { rule: 'risk', score, threshold };
    if (!hasFailed) return undefined;
    if (failurePolicy === 'closed') return { rule: 'unchecked' };
    unchecked += 1;
    return undefined;
  };

  const decideWith = (
    url: URL,
    ask: (policy: EffectivePolicy) => Promise<BlockReason | undefined>,
    signal: AbortSignal,
  ): Promise<BlockReason | undefined> | BlockReason | undefined => {
    if (!effective) return undefined;
    const match = rules(url);
    if (match) return match.rule === 'whitelist' ? undefined : match;
    if (effective.policy.mode === 'manual-only') return undefined;
    return raceAbort(ask(effective), signal);
  };
  const decide = (url: URL, signal: AbortSignal) => {
    const ask = (policy: EffectivePolicy) =>
      decisions.getOrCreate(normaliseUrl(url), () => askServices(url, policy, { isOffline }));
    return decideWith(url, ask, signal);
  };
  const decideHost = (url: URL, signal: AbortSignal) =>
    decideWith(url, (policy) => askServices(new URL('/', url), policy, { isOffline: true }), signal);
  const checkBy = async (decision: typeof decide, url: URL, signal: AbortSignal) => {
    if (isForbiddenToKey(url)) throw domainRefusal(keyDomains, url);
    const block = await decision(url, signal);
    if (block) throw blockRefusal(block, url, effective!);
  };

  return {
    check: (url, signal) => checkBy(decide, url, signal),
    checkHost: (url, signal) => checkBy(decideHost, url, signal),
    isSafe: async (url, signal) => !isForbiddenToKey(url) && (await decide(url, signal)) === undefined,
    allowsByRules(url) {
      if (isForbiddenToKey(url)) return false;
      const match = effective && rules(url);
      return match === undefined || match.rule === 'whitelist';
    },
    credits: () => scanned * scanCredits,
    isPaid: (url) => paid.peek(normaliseUrl(url)) === true,
    warning: () => (unchecked > 0 ? uncheckedWarning(unchecked) : effective?.warning),
  };
}

const uncheckedWarning = (urls: number): string =>
  `${urls === 1 ? 'One URL was' : `${urls} URLs were`} not checked, because a risk service did not answer. \`failurePolicy: open\` allows that.`;
