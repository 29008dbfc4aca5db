// Gathers the addresses of a site: from its sitemaps, from pages that are known already, and from the links of its pages.
import type { MapRequest } from '../../contracts/map.ts';
import { seedTask } from '../../crawl/frontier/frontier.ts';
import { createHostSlots } from '../../crawl/politeness/host-slots.ts';
import { walkLinks } from './follow-links.ts';
import { listKnownPages, listSitemaps } from './known-urls.ts';
import { describePage } from './map-list.ts';
import { createPageLoader, type LoadPage, type PageLoadDeps } from './map-page.ts';
import { createMapSite, type Home, type MapLimits, type MapResults, type MapSite, WALK_KEYS } from './map-site.ts';

export interface PreparedMap {
  found: MapResults;
  /** Throws the reason of `signal`, and faults of ours. */
  run(signal: AbortSignal): Promise<void>;
}

/** Refuses what cannot be asked for, before anything is started. */
export function prepareMap(deps: PageLoadDeps, request: MapRequest, start: URL, limits: MapLimits): PreparedMap {
  const site = createMapSite(deps, request, start, limits);
  const visit = createPageLoader(deps, createHostSlots(deps.politeness, deps.clock), request, start);
  return { found: site.found, run: (signal) => gather(site, visit, signal) };
}

async function gather(site: MapSite, visit: LoadPage, signal: AbortSignal): Promise<void> {
  const { request, start, found } = site;
  found.list.add(start);
  // The start page is on its way while the first sitemap is.
  const opening = request.sitemap === 'only' ? checkSite(site, signal) : openStart(site, visit, signal);
  opening.catch(() => {});
  const listed = request.sitemap === 'skip' ? [] : await listSitemaps(site, opening, signal);
  const home = await opening;
  if (request.sitemap === 'only') return;

  const known = request.ignoreCache ? [] : await listKnownPages(site, home);
  const first =
    found.start?.state === 'read' ? { page: seedTask(start, WALK_KEYS), reading: found.start.reading } : undefined;
  const isShort = listed.length > 0 || found.start?.state === 'failed';
  await walkLinks(site, { scope: home.scope, first, seeds: [...known, ...listed], isShort }, visit, signal);
}

async function checkSite({ deps, start, found, scopeAt }: MapSite, signal: AbortSignal): Promise<Home> {
  found.failure = (await deps.robots.of(start, signal)).failure;
  return { url: start, scope: scopeAt(start) };
}

async function openStart({ start, found, scopeAt }: MapSite, visit: LoadPage, signal: AbortSignal): Promise<Home> {
  const visited = await visit(start, signal);
  found.start = visited;
  if (visited.state !== 'read') {
    if (visited.state === 'failed') found.failure = visited.error;
    return { url: start, scope: scopeAt(start) };
  }
  const url = new URL(visited.reading.header.finalUrl);
  const about = describePage(visited.reading);
  found.list.add(start, about);
  found.list.add(url, about);
  return { url, scope: scopeAt(url) };
}
