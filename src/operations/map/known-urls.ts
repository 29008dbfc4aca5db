// URLs that are known without following links: from the site's sitemaps and from cached pages.
import { setImmediate } from 'node:timers/promises';
import { seedTask } from '../../crawl/frontier/frontier.ts';
import { bareName } from '../../crawl/frontier/url-key.ts';
import type { WalkPage } from '../../crawl/site-walk/walk-queue.ts';
import { readSitemaps } from '../../crawl/sitemap/sitemap.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import { deadline } from '../../util/abort.ts';
import type { LinkInfo } from './map-list.ts';
import { type Home, type MapSite, WALK_KEYS } from './map-site.ts';

const MAX_ENTRIES = 500_000;
/** Starting points for the walk; further URLs are only listed. */
const MAX_SEEDS = 2_000;
/** Yields to the event loop after this many entries. */
const AT_A_TIME = 200;

/** Lists the URLs of the sitemaps and returns starting points for the walk. `opening` resolves to the redirected start page. */
export async function listSitemaps(site: MapSite, opening: Promise<Home>, signal: AbortSignal): Promise<WalkPage[]> {
  const seeds = await listSitemapsOf(site, site.start, opening, signal);
  const { url } = await opening;
  if (seeds.length > 0 || url.host === site.start.host) return seeds;
  return listSitemapsOf(site, url, opening, signal);
}

async function listSitemapsOf(
  site: MapSite,
  at: URL,
  opening: Promise<Home>,
  signal: AbortSignal,
): Promise<WalkPage[]> {
  const { deps, request, start, found, limits } = site;
  const { sitemaps } = await deps.robots.of(at, signal);
  const callerHeaders = CallerHeaders.for(start, request.headers);
  const onProblem = (problem: string) => found.problems.push(problem);
  const asked = { site: at, declared: sitemaps, maxEntries: MAX_ENTRIES, onProblem };
  const late = new Error('No sitemap arrived in time.');
  const patience = deadline(limits.sitemapMs, () => late, signal);
  const seeds: WalkPage[] = [];
  let home: Home | undefined;
  let count = 0;
  try {
    const source = { egress: deps.egress, headers: await deps.agent.headers(), callerHeaders };
    for await (const { url, title } of readSitemaps(source, asked, patience.signal)) {
      patience.done();
      home ??= await opening;
      listAddress(site, home, url, title === undefined ? {} : { title }, seeds);
      if (found.list.isFull) return seeds;
      count += 1;
      if (count % AT_A_TIME === 0) await setImmediate();
    }
  } catch (error) {
    if (error !== late) throw error;
    onProblem(late.message);
  } finally {
    patience.done();
  }
  if (count >= MAX_ENTRIES)
    onProblem(`${at.host}: The sitemaps list more than ${MAX_ENTRIES} URLs; the rest was ignored.`);
  return seeds;
}

/** Lists the cached pages of the site and returns starting points for the walk. */
export async function listKnownPages(site: MapSite, home: Home): Promise<WalkPage[]> {
  const { deps, teamId, request, start, found, limits } = site;
  const viewer = deps.sharing.viewerOf(teamId);
  const subdomains = request.includeSubdomains;
  const hosts = new Set([start, home.url].flatMap((url) => hostsOf(url, subdomains)));
  const seeds: WalkPage[] = [];
  for (const host of hosts) {
    if (found.list.isFull) break;
    const known = await deps.pages.known({ viewer, host, subdomains, limit: limits.links });
    for (const { url, ...about } of known) listAddress(site, home, url, about, seeds);
  }
  return seeds;
}

function hostsOf({ hostname, port }: URL, subdomains: boolean): string[] {
  const host = bareName(hostname) + (port === '' ? '' : `:${port}`);
  return subdomains ? [host] : [host, `www.${host}`];
}

function listAddress({ found }: MapSite, { scope }: Home, address: string, about: LinkInfo, seeds: WalkPage[]): void {
  const url = URL.parse(address);
  const judgement = url ? scope.judge(url, { isHome: true }) : 'out';
  if (!url || judgement === 'out') return;
  found.list.add(url, about);
  if (judgement === 'in' && seeds.length < MAX_SEEDS) seeds.push(seedTask(url, WALK_KEYS));
}
