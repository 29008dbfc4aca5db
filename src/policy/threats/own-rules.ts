// The rules that a team writes itself, in their order: whitelist, blacklist, blocked top-level domains. They look at the
// host alone, in the one form that the URL parser gives it.
import type { ThreatPolicy } from '../../contracts/threats/threat-protection.ts';
import { type DomainList, readDomainList } from '../../urls/domain-patterns.ts';
import { canonicalHost } from './canonical-host.ts';

export type Lists = Pick<ThreatPolicy, 'whitelist' | 'blacklist' | 'blockedTlds'>;

export type RuleMatch =
  | { rule: 'whitelist' }
  | { rule: 'blacklist'; entry: string }
  | { rule: 'blockedTlds'; entry: string };

/** Undefined if no rule is about the host. */
export type OwnRules = (url: URL) => RuleMatch | undefined;

export function compileRules({ whitelist, blacklist, blockedTlds }: Lists): OwnRules {
  const isAllowed = readDomainList(whitelist);
  const findBlocked = readBlacklist(blacklist);
  const tlds = new Set(blockedTlds);
  return (url) => {
    const host = canonicalHost(url);
    if (isAllowed(host) !== undefined) return { rule: 'whitelist' };
    const blocked = findBlocked(host);
    if (blocked !== undefined) return { rule: 'blacklist', entry: blocked };
    const tld = host.slice(host.lastIndexOf('.') + 1);
    // The last part of an address is a number, and no top-level domain is one.
    const isTld = host !== tld && !/^\d+$/.test(tld);
    return isTld && tlds.has(tld) ? { rule: 'blockedTlds', entry: tld } : undefined;
  };
}

/** A domain is blocked with everything below it: else its owner would only have to invent another name. */
function readBlacklist(blacklist: readonly string[]): DomainList {
  const written = new Set(blacklist);
  const below = blacklist.filter((entry) => !entry.startsWith('*.')).map((domain) => `*.${domain}`);
  const find = readDomainList([...blacklist, ...below]);
  return (host) => {
    const entry = find(host);
    return entry === undefined || written.has(entry) ? entry : entry.slice('*.'.length);
  };
}
