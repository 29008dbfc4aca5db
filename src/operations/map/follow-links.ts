// Finds the URLs of a map that no sitemap or cache knows: reads pages and follows their links while new ones turn up.
import { isUnchecked } from '../../crawl/frontier/frontier.ts';
import { urlKey } from '../../crawl/frontier/url-key.ts';
import { type WalkReport, walkSite } from '../../crawl/site-walk/site-walk.ts';
import { createWalkQueue, type PageYield, type WalkPage, type WalkQueue } from '../../crawl/site-walk/walk-queue.ts';
import { createSlices } from '../../util/slices.ts';
import type { Page } from '../page/page.ts';
import { describePage } from './map-list.ts';
import type { LoadPage } from './map-page.ts';
import { type Home, type MapSite, WALK_KEYS } from './map-site.ts';

export interface WalkStart {
  home: Home;
  /** The start page, if it was read. */
  first?: { place: WalkPage; page: Page };
  /** Other pages to start from. */
  seeds: readonly WalkPage[];
  /** Whether a few pages are enough, because sitemaps list the site or its start page failed. */
  isShort: boolean;
}

const SHORT_WALK = { pages: 100, barren: 20 };
const NOTHING: PageYield = { newUrls: 0, newUrlsElsewhere: 0 };
const GONE = new Set([404, 410]);

export async function walkLinks(
  { deps, found, limits }: MapSite,
  { home, first, seeds, isShort }: WalkStart,
  loadPage: LoadPage,
  signal: AbortSignal,
): Promise<void> {
  const { list } = found;
  const queue = createWalkQueue();
  const basket = { deps, found, home, queue };

  const read = async (place: WalkPage, stop: AbortSignal): Promise<WalkReport> => {
    const url = new URL(place.url);
    const load = await loadPage(url, stop);
    const { wasFetched } = load;
    if (load.state !== 'read') {
      return { wasFetched, ...NOTHING, isBusy: load.state === 'failed' && load.isBusy };
    }
    if (GONE.has(load.page.header.status)) list.remove(url);
    return { wasFetched, ...(await takeLinks(basket, place, load.page)) };
  };

  if (first) {
    queue.exclude(first.place.key);
    await takeLinks(basket, first.place, first.page);
  }
  for (const page of seeds) queue.offer(page);
  const isEnough = () => list.isFull;
  const end = await walkSite(
    { queue, read, isEnough, limits: isShort ? { ...limits, ...SHORT_WALK } : limits },
    signal,
  );
  found.isCut = end === 'page-limit' && !isShort;
}

interface Basket extends Pick<MapSite, 'deps' | 'found'> {
  home: Home;
  queue: WalkQueue;
}

/** Lists the page with its title and its links, and queues the links that the walk may follow. */
async function takeLinks({ deps, found, home, queue }: Basket, place: WalkPage, page: Page): Promise<PageYield> {
  const { list } = found;
  const { links, next, fingerprint } = page.outcome.discovered;
  const at = new URL(page.header.finalUrl);
  const about = describePage(page);
  list.add(new URL(place.url), about);
  queue.exclude(urlKey(at, WALK_KEYS));
  const [judgement] = await deps.linkRules.decide(home.rules, [at.href]);
  let news = judgement === 'in' && list.add(at, about) ? 1 : 0;
  let otherNews = news;
  const { depth, steps, pattern } = place;
  // Without robots.txt, which is checked before fetching: a URL may be listed even if it must not be fetched.
  const tasks = await deps.linkRules.discover(home.rules, {
    from: { depth, steps, pattern, url: at.href },
    links,
    next,
  });
  const slices = createSlices();
  for (const task of tasks) {
    if (slices.isOver()) await slices.next();
    if (queue.isKnown(task.key)) continue;
    if (isUnchecked(task)) {
      found.unjudged += 1;
      continue;
    }
    const url = new URL(task.url);
    if (list.add(url)) {
      news += 1;
      if (task.pattern !== place.pattern) otherNews += 1;
    }
    if (home.isHome(url)) queue.offer(task);
  }
  return { newUrls: news, newUrlsElsewhere: otherNews, gist: fingerprint.gist };
}
