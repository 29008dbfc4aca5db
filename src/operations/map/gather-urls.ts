// Gathers the URLs of a site from its sitemaps, from cached pages, and from the links of its pages.
import type { MapRequest } from '../../contracts/crawl/map.ts';
import { seedTask } from '../../crawl/frontier/frontier.ts';
import { createHostSlots } from '../../crawl/politeness/host-slots.ts';
import { walkLinks } from './follow-links.ts';
import { listKnownPages, listSitemaps } from './known-urls.ts';
import { describePage } from './map-list.ts';
import { createPageLoader, type LoadPage, type PageLoadDeps } from './map-page.ts';
import {
  createMapSite,
  type Home,
  type MapAsker,
  type MapLimits,
  type MapResults,
  type MapSite,
  WALK_KEYS,
} from './map-site.ts';

export interface PreparedMap {
  found: MapResults;
  /** Throws only if `signal` aborts or on an internal error. */
  run(signal: AbortSignal): Promise<void>;
}

/** Throws ServiceError for path rules that cannot be used, before any work starts. */
export async function prepareMap(
  deps: PageLoadDeps,
  asker: MapAsker,
  request: MapRequest,
  start: URL,
  limits: MapLimits,
): Promise<PreparedMap> {
  const site = createMapSite(deps, asker, request, start, limits);
  if (request.includePaths.length + request.excludePaths.length > 0) {
    await deps.linkRules.includesStart(site.homeAt(start).rules);
  }
  const loadPage = createPageLoader(deps, createHostSlots(deps.politeness, deps.clock), site);
  return { found: site.found, run: (signal) => gather(site, loadPage, signal) };
}

async function gather(site: MapSite, loadPage: LoadPage, signal: AbortSignal): Promise<void> {
  const { request, start, found } = site;
  found.list.add(start);
  // The start page and the first sitemap are fetched in parallel.
  const opening = request.sitemap === 'only' ? checkSite(site, signal) : openStart(site, loadPage, signal);
  opening.catch(() => {});
  const listed = request.sitemap === 'skip' ? [] : await listSitemaps(site, opening, signal);
  const home = await opening;
  if (request.sitemap === 'only') return;

  const known = request.ignoreCache ? [] : await listKnownPages(site, home);
  const first =
    found.start?.state === 'read' ? { place: seedTask(start, WALK_KEYS), page: found.start.page } : undefined;
  const isShort = listed.length > 0 || found.start?.state === 'failed';
  await walkLinks(site, { home, first, seeds: [...known, ...listed], isShort }, loadPage, signal);
}

async function checkSite({ deps, start, trust, found, homeAt }: MapSite, signal: AbortSignal): Promise<Home> {
  found.failure = (await deps.robots.of(start, trust, signal)).failure;
  return homeAt(start);
}

async function openStart({ start, found, homeAt }: MapSite, loadPage: LoadPage, signal: AbortSignal): Promise<Home> {
  const load = await loadPage(start, signal);
  found.start = load;
  if (load.state !== 'read') {
    if (load.state === 'failed') found.failure = load.error;
    return homeAt(start);
  }
  const url = new URL(load.page.header.finalUrl);
  const about = describePage(load.page);
  found.list.add(start, about);
  found.list.add(url, about);
  return homeAt(url);
}
