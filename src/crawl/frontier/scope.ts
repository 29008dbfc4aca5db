// Decides whether a URL is in the scope of a crawl: on its own site, one hop outside, or out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDomain } from 'tldts';
import { lazy } from '../../util/lazy.ts';
import type { WorkBudget } from '../../util/work-budget.ts';
import type { PathRules } from './path-rules.ts';
import { bareName, similarPath } from './url-key.ts';

export interface ScopeOptions {
  crawlEntireDomain: boolean;
  allowSubdomains: boolean;
  allowExternalLinks: boolean;
  pathRules: PathRules;
}

/** `unjudged`: the path rules cost more than their budget. */
export type ScopeDecision = 'in' | 'external' | 'external-home-page' | 'out' | 'unjudged';

export interface CrawlScope {
  /** Whether to follow a link. `isHome` describes the page with the link: only pages of the site may lead outside. */
  decide(url: URL, from: { isHome: boolean }, budget?: WorkBudget): ScopeDecision;
  /** Whether the URL is on a host of the crawl. */
  isHome(url: URL): boolean;
}

export const MAX_URL_LENGTH = 2_048;
const LONGEST_EXTENSION = 12;
const FILE_NAME = /\.[a-z][a-z0-9]{0,5}$/;

/** `home` is the start URL after redirects. Both URLs belong to the site. */
export function createScope(options: ScopeOptions, start: URL, home: URL): CrawlScope {
  const { crawlEntireDomain, allowSubdomains, allowExternalLinks, pathRules } = options;
  const roots = [start, home];
  const rootsBySite = Map.groupBy(roots, siteOf);
  const foldersBySite = new Map(
    [...rootsBySite].map(([site, urls]) => [site, crawlEntireDomain ? ['/'] : urls.map(folderOf)]),
  );
  const domains = new Set(allowSubdomains ? roots.map(domainOf) : []);
  domains.delete(null);
  const ports = new Set(roots.map((url) => url.port));

  const isSubdomain = (url: URL): boolean => domains.size > 0 && ports.has(url.port) && domains.has(domainOf(url));

  return {
    isHome: (url) => foldersBySite.has(siteOf(url)) || isSubdomain(url),
    decide(url, from, budget) {
      if (!isPage(url)) return 'out';
      const folders = foldersBySite.get(siteOf(url));
      // The folder of the start page limits its own host only; subdomains are crawled as a whole.
      const isAtHome = folders ? isInside(folders, url.pathname) : isSubdomain(url);
      const isReachable = isAtHome || (!folders && allowExternalLinks && from.isHome);
      const isAllowed = isReachable && pathRules.allows(url, budget);
      if (isAllowed === undefined) return 'unjudged';
      if (!isAllowed) return 'out';
      if (isAtHome) return 'in';
      return url.pathname === '/' && url.search === '' ? 'external-home-page' : 'external';
    },
  };
}

function isInside(folders: string[], pathname: string): boolean {
  if (folders.includes('/')) return true;
  const path = asFolder(similarPath(pathname));
  return folders.some((folder) => path.startsWith(folder));
}

/** A default port counts as no port, so the http and https sites of a host are the same. */
const siteOf = (url: URL): string => `${bareName(url.hostname)}:${url.port}`;

/** Null for IP addresses and single labels, which have no subdomains. */
const domainOf = (url: URL): string | null =>
  getDomain(bareName(url.hostname), { allowPrivateDomains: true, extractHostname: false });

function folderOf(url: URL): string {
  const path = similarPath(url.pathname);
  const isFile = !url.pathname.endsWith('/') && FILE_NAME.test(path);
  return isFile ? path.slice(0, path.lastIndexOf('/') + 1) : asFolder(path);
}

const asFolder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

function isPage(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.href.length > MAX_URL_LENGTH || url.username !== '' || url.password !== '') return false;
  const { pathname } = url;
  const dot = pathname.lastIndexOf('.') + 1;
  const isShort = dot > 0 && pathname.length - dot <= LONGEST_EXTENSION;
  return !isShort || !nonPageExtensions().has(pathname.slice(dot).toLowerCase());
}

const NOT_PAGES = join(import.meta.dirname, '../../../data/not-pages.json');

/** File extensions of URLs that are not pages, in lower case. */
const nonPageExtensions = lazy((): ReadonlySet<string> => {
  const { about: _, ...kinds } = JSON.parse(readFileSync(NOT_PAGES, 'utf8')) as Record<string, string | string[]>;
  return new Set(Object.values(kinds).flat());
});
