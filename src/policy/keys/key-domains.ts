// The domains that a key may fetch from. URLs of a body are checked before anything starts; what is found later (links,
// results, redirects) is a matter of the threat check of the request, which has these domains as its first rule.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyLimits } from '../../contracts/team/policy.ts';
import { readDomainList } from '../../urls/domain-patterns.ts';
import { bareHost, readUrl } from '../../urls/url.ts';
import type { Asked } from '../asked.ts';
import { restricted } from './refusal.ts';

export const isKeyDomain = (domains: readonly string[], url: URL): boolean =>
  readDomainList(domains)(bareHost(url)) !== undefined;

export const domainRefusal = (domains: readonly string[], url: URL): ServiceError =>
  restricted('domains', domains, 'domains', [bareHost(url)]);

/** Throws KEY_RESTRICTED. Texts that are not URLs are left to the operation, which refuses or skips them. */
export function checkDomains(
  { domains = [] }: KeyLimits,
  asked: Pick<Asked, 'url' | 'urls' | 'targets'>,
  key?: string,
): void {
  if (domains.length === 0) return;
  const isAllowed = readDomainList(domains);
  const refused = new Set<string>();
  for (const { url, urls = [] } of [asked, ...(asked.targets ?? [])]) {
    for (const text of url === undefined ? urls : [url, ...urls]) {
      const read = readUrl(text);
      if (typeof read !== 'string' && isAllowed(bareHost(read)) === undefined) refused.add(bareHost(read));
    }
  }
  if (refused.size > 0) throw restricted('domains', domains, 'domains', [...refused], key);
}
