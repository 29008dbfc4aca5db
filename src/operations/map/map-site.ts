// What is being mapped, and what was found so far: shared by all that gather addresses.
import type { ServiceError } from '../../contracts/errors.ts';
import type { MapRequest } from '../../contracts/map.ts';
import { compilePathRules } from '../../crawl/frontier/path-rules.ts';
import { createScope, type Scope } from '../../crawl/frontier/scope.ts';
import { similarPath } from '../../crawl/frontier/url-key.ts';
import type { WalkLimits } from '../../crawl/site-walk/site-walk.ts';
import { createMapList, type MapList } from './map-list.ts';
import type { PageLoad, PageLoadDeps } from './map-page.ts';

export interface MapSite {
  deps: PageLoadDeps;
  request: MapRequest;
  start: URL;
  limits: MapLimits;
  found: MapResults;
  /** `home` is where the start page was found after its redirects. */
  scopeAt(home: URL): Scope;
}

export interface MapLimits extends WalkLimits {
  /** Addresses to be found. */
  links: number;
  /** How long the first entry of a sitemap is waited for. */
  sitemapMs: number;
}

/** They grow while they are gathered, and hold at any moment. */
export interface MapResults {
  list: MapList;
  /** What became of the start page; undefined while it is awaited, and where it is not to be read. */
  start?: PageLoad;
  /** Why the site cannot be asked, as far as that is known without its pages. */
  failure?: ServiceError;
  /** Sentences about sitemaps that could not be read to their end. */
  problems: string[];
  /** Pages were left unread that might have brought more. */
  isCut: boolean;
}

export interface Home {
  url: URL;
  scope: Scope;
}

/** Which addresses are the same page for the walk: a list continues behind its query, even where queries are not listed. */
export const WALK_KEYS = { similar: true, ignoreQuery: false };

/** Throws ServiceError for path rules that are no expressions. */
export function createMapSite(deps: PageLoadDeps, request: MapRequest, start: URL, limits: MapLimits): MapSite {
  const options = {
    crawlEntireDomain: request.crawlEntireDomain ?? (!request.filterByPath || similarPath(start.pathname) === '/'),
    allowSubdomains: request.includeSubdomains,
    allowExternalLinks: request.allowExternalLinks,
    pathRules: compilePathRules(request),
  };
  const list = createMapList(limits.links, request.ignoreQueryParameters);
  return {
    deps,
    request,
    start,
    limits,
    found: { list, problems: [], isCut: false },
    scopeAt: (home) => createScope(options, start, home),
  };
}
