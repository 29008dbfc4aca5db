// The site being mapped and the results so far, shared by everything that gathers URLs.

import type { MapRequest } from '../../contracts/crawl/map.ts';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import { scrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { SiteRules } from '../../crawl/frontier/link-judge.ts';
import { type CrawlScope, createScope } from '../../crawl/frontier/scope.ts';
import { similarPath } from '../../crawl/frontier/url-key.ts';
import type { RobotsTrust } from '../../crawl/robots/robots.ts';
import type { WalkLimits } from '../../crawl/site-walk/site-walk.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import { randomToken } from '../../util/ids.ts';
import { robotsReach } from '../crawl/crawl-task.ts';
import { createMapList, type MapList } from './map-list.ts';
import type { PageLoad, PageLoadDeps } from './map-page.ts';

export interface MapSite extends MapAsker {
  deps: PageLoadDeps;
  request: MapRequest;
  start: URL;
  trust: RobotsTrust;
  limits: MapLimits;
  found: MapResults;
  /** `url` is that of the start page after redirects. */
  homeAt(url: URL): Home;
}

/** For whom the site is mapped. */
export interface MapAsker {
  teamId: string;
  /** One URL of a host stands for all. */
  threatCheck: ThreatCheck | undefined;
}

export interface MapLimits extends WalkLimits {
  /** Maximum number of URLs. */
  links: number;
  /** How long to wait for the first sitemap entry. */
  sitemapMs: number;
  /** The pages that are read for the map may not be stored. */
  isTraceless: boolean;
}

/** Updated while URLs are gathered, and valid at any time. */
export interface MapResults {
  list: MapList;
  /** Undefined until the start page is loaded, and if it is not needed. */
  start?: PageLoad;
  /** Why the site cannot be read. */
  failure?: ServiceError;
  /** One sentence per sitemap that could not be read completely. */
  problems: string[];
  /** Whether the page limit was reached before all links were followed. */
  isCut: boolean;
  /** URLs that were left out because comparing them with the path rules took too long. */
  unjudged: number;
}

export interface Home {
  url: URL;
  rules: SiteRules;
  /** Whether a URL is on a host of the map. */
  isHome: CrawlScope['isHome'];
}

/** The walk keeps queries apart even if the map ignores them: lists often paginate by query. */
export const WALK_KEYS = { similar: true, ignoreQuery: false };

export function createMapSite(
  deps: PageLoadDeps,
  { teamId, threatCheck }: MapAsker,
  request: MapRequest,
  start: URL,
  limits: MapLimits,
): MapSite {
  const options = {
    crawlEntireDomain: request.crawlEntireDomain ?? (!request.filterByPath || similarPath(start.pathname) === '/'),
    allowSubdomains: request.includeSubdomains,
    allowExternalLinks: request.allowExternalLinks,
  };
  const { includePaths, excludePaths, regexOnFullURL } = request;
  const list = createMapList(limits.links, request.ignoreQueryParameters);
  return {
    deps,
    teamId,
    threatCheck,
    request,
    start,
    // A map has no option for this, so it trusts what a scrape trusts by default.
    trust: { verifyTls: !scrapeOptions.parse({}).skipTlsVerification, ...robotsReach(threatCheck) },
    limits,
    found: { list, problems: [], isCut: false, unjudged: 0 },
    homeAt: (url) => ({
      url,
      rules: {
        id: randomToken(8),
        scope: { ...options, includePaths, excludePaths, regexOnFullURL },
        keyRules: WALK_KEYS,
        start: start.href,
        home: url.href,
      },
      // The path rules run only in the thread of the link rules.
      isHome: createScope({ ...options, pathRules: { allows: () => true } }, start, url).isHome,
    }),
  };
}
