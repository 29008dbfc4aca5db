// Decides which links of a crawl are followed, and remembers recent ones: the navigation of a site repeats on each of its pages.
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { WorkBudget } from '../../util/work-budget.ts';
import { listPosition, type PaginatedUrl } from './pagination.ts';
import { type CrawlScope, MAX_URL_LENGTH, type ScopeDecision } from './scope.ts';
import { type KeyRules, urlKey } from './url-key.ts';
import { urlPattern } from './url-pattern.ts';

export interface DecidedLink {
  url: URL;
  /** As for a link found on a home page. */
  decision: Exclude<ScopeDecision, 'out'>;
  key: string;
  pattern: string;
  position: PaginatedUrl;
}

export interface LinkMemory {
  /** Undefined for links out of scope. A different scope or different rules reset the memory. */
  read(link: string, scope: CrawlScope, rules: KeyRules, budget?: WorkBudget): DecidedLink | undefined;
}

/** Longer links are rare, and thousands of them would take much memory. */
const MAX_REMEMBERED_LENGTH = 256;
const FOUND_AT_HOME = { isHome: true };

export function decideLink(
  link: string,
  scope: CrawlScope,
  rules: KeyRules,
  budget?: WorkBudget,
): DecidedLink | undefined {
  const url = link.length <= MAX_URL_LENGTH ? URL.parse(link) : null;
  if (!url) return undefined;
  const decision = scope.decide(url, FOUND_AT_HOME, budget);
  if (decision === 'out') return undefined;
  return { url, decision, key: urlKey(url, rules), pattern: urlPattern(url), position: listPosition(url) };
}

export function createLinkMemory(limit = 10_000): LinkMemory {
  const decided = createBoundedMap<string, DecidedLink | 'out'>({ maxEntries: limit });
  let judgedBy: [scope: CrawlScope, similar: boolean, ignoreQuery: boolean] | undefined;

  const isCurrent = (scope: CrawlScope, rules: KeyRules) =>
    judgedBy?.[0] === scope && judgedBy[1] === rules.similar && judgedBy[2] === rules.ignoreQuery;

  return {
    read(link, scope, rules, budget) {
      if (link.length > MAX_REMEMBERED_LENGTH) return decideLink(link, scope, rules, budget);
      if (!isCurrent(scope, rules)) {
        decided.clear();
        judgedBy = [scope, rules.similar, rules.ignoreQuery];
      }
      const known = decided.get(link) ?? decideLink(link, scope, rules, budget) ?? 'out';
      if (known === 'out' || known.decision !== 'unjudged') decided.set(link, known);
      return known === 'out' ? undefined : known;
    },
  };
}
