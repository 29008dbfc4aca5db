// What a blocked URL is answered with: the rule that decided, and nothing else of the lists it is in.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { canonicalHost } from './canonical-host.ts';
import type { EffectivePolicy } from './effective-policy.ts';
import type { RuleMatch } from './own-rules.ts';

export type BlockReason =
  | Exclude<RuleMatch, { rule: 'whitelist' }>
  | { rule: 'risk'; score: number; threshold: number }
  /** No service could say, and the policy is closed. */
  | { rule: 'unchecked' };

export function blockRefusal(block: BlockReason, url: URL, { override, isSafeMode }: EffectivePolicy): ServiceError {
  const host = canonicalHost(url);
  return new ServiceError(isSafeMode ? 'SAFE_MODE_BLOCKED' : 'unsafe_domain_blocked', {
    message: `Blocked by ${ruleText(block, override)}. ${adviceText(block, host)}`,
    details: { rule: block.rule, host },
  });
}

function ruleText(block: BlockReason, override: EffectivePolicy['override']): string {
  switch (block.rule) {
    case 'blacklist':
      return `${override.blacklist ? 'the blacklist of the request' : "your team's blacklist"}: ${block.entry}`;
    case 'blockedTlds':
      return `${override.blockedTlds ? 'the request' : "your team's threat policy"}: top-level domain .${block.entry}`;
    case 'risk':
      return `threat protection: risk score ${block.score} (threshold ${block.threshold})`;
    case 'unchecked':
      return 'threat protection: no risk service could judge the URL, and the failure policy is closed';
  }
}

const adviceText = ({ rule }: BlockReason, host: string): string =>
  rule === 'unchecked'
    ? `Try again later. To allow ${host} anyway, add it to the whitelist of the policy.`
    : `To allow ${host} anyway, add it to the whitelist of the policy.`;
