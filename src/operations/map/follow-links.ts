// The part of a map that has to be looked for: pages are read for where they lead, as long as that brings something new.
import { discoverTasks } from '../../crawl/frontier/frontier.ts';
import { createLinkMemory, type LinkMemory } from '../../crawl/frontier/link-memory.ts';
import type { Scope } from '../../crawl/frontier/scope.ts';
import { urlKey } from '../../crawl/frontier/url-key.ts';
import { type WalkReport, walkSite } from '../../crawl/site-walk/site-walk.ts';
import { createWalkQueue, type PageYield, type WalkPage, type WalkQueue } from '../../crawl/site-walk/walk-queue.ts';
import type { Reading } from '../page/read-page.ts';
import { describePage, type MapList } from './map-list.ts';
import type { LoadPage } from './map-page.ts';
import { type MapSite, WALK_KEYS } from './map-site.ts';

export interface WalkStart {
  scope: Scope;
  /** The start page, if it was read. */
  first?: { page: WalkPage; reading: Reading };
  /** Other pages to begin with. */
  seeds: readonly WalkPage[];
  /** Only look around: sitemaps list the site, or it hardly answers. */
  isShort: boolean;
}

const SHORT_WALK = { pages: 100, barren: 20 };
/** A remembered link takes about a kilobyte. */
const LINKS_REMEMBERED = 4_000;
const NOTHING: PageYield = { newUrls: 0, newUrlsElsewhere: 0 };
const GONE = new Set([404, 410]);

export async function walkLinks(
  { found, limits }: MapSite,
  { scope, first, seeds, isShort }: WalkStart,
  visit: LoadPage,
  signal: AbortSignal,
): Promise<void> {
  const { list } = found;
  const queue = createWalkQueue();
  const basket = { list, scope, queue, memory: createLinkMemory(LINKS_REMEMBERED) };

  const read = async (page: WalkPage, stop: AbortSignal): Promise<WalkReport> => {
    const url = new URL(page.url);
    const visited = await visit(url, stop);
    const { wasFetched } = visited;
    if (visited.state !== 'read') {
      return { wasFetched, ...NOTHING, isBusy: visited.state === 'failed' && visited.isBusy };
    }
    if (GONE.has(visited.reading.header.status)) list.remove(url);
    return { wasFetched, ...takeLinks(basket, page, visited.reading) };
  };

  if (first) {
    queue.exclude(first.page.key);
    takeLinks(basket, first.page, first.reading);
  }
  for (const page of seeds) queue.offer(page);
  const isEnough = () => list.isFull;
  const end = await walkSite(
    { queue, read, isEnough, limits: isShort ? { ...limits, ...SHORT_WALK } : limits },
    signal,
  );
  found.isCut = end === 'page-limit' && !isShort;
}

interface Basket {
  list: MapList;
  scope: Scope;
  queue: WalkQueue;
  memory: LinkMemory;
}

/** Lists where a page leads and what it says about itself; what may lead further is offered to the walk. */
function takeLinks({ list, scope, queue, memory }: Basket, page: WalkPage, reading: Reading): PageYield {
  const { links, next, fingerprint } = reading.outcome.discovered;
  const at = new URL(reading.header.finalUrl);
  const about = describePage(reading);
  list.add(new URL(page.url), about);
  queue.exclude(urlKey(at, WALK_KEYS));
  let news = scope.judge(at, { isHome: true }) === 'in' && list.add(at, about) ? 1 : 0;
  let otherNews = news;
  const tasks = discoverTasks({
    scope,
    keyRules: WALK_KEYS,
    // Asked when its turn comes: what must not be fetched may be listed.
    robots: () => true,
    memory,
    from: { ...page, url: at },
    links,
    next,
  });
  for (const task of tasks) {
    if (queue.isKnown(task.key)) continue;
    const url = new URL(task.url);
    if (list.add(url)) {
      news += 1;
      if (task.pattern !== page.pattern) otherNews += 1;
    }
    if (scope.isHome(url)) queue.offer(task);
  }
  return { newUrls: news, newUrlsElsewhere: otherNews, gist: fingerprint.gist };
}
