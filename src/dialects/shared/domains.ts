// Domains that a search is limited to, as the clients of other programs write them: with a scheme, a wildcard or a path.
import { isOnListedDomain } from '../../urls/listed-domains.ts';

export interface Domains {
  /** For the body of a search, which takes only one of the two lists. */
  conditions: { includeDomains?: string[]; excludeDomains?: string[] };
  /** Whether a result is to be left out all the same, since both lists were sent. */
  isExcluded(url: string): boolean;
  warning?: string;
}

const PATHS = 'Domains stand for all of their pages: paths in the lists of domains were left out.';

export function readDomains(include: readonly string[] = [], exclude: readonly string[] = []): Domains {
  const [includeDomains, excludeDomains] = [include.map(hostOf), exclude.map(hostOf)];
  const isBoth = includeDomains.length > 0 && excludeDomains.length > 0;
  return {
    conditions: includeDomains.length > 0 ? { includeDomains } : { excludeDomains },
    isExcluded: (url) =>
      isBoth && excludeDomains.some((domain) => isOnListedDomain(URL.parse(url)?.hostname ?? '', domain)),
    ...([...include, ...exclude].some(hasPath) && { warning: PATHS }),
  };
}

const withoutScheme = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '');
/** What is no host after that is refused with the search. */
const hostOf = (text: string): string =>
  withoutScheme(text)
    .replace(/^\*?\./, '')
    .replace(/[/?#:].*$/, '');
const hasPath = (text: string): boolean => /\/./.test(withoutScheme(text));
