// URLs that are known without following links: from the site's sitemaps and from cached pages.
import { seedTask } from '../../crawl/frontier/frontier.ts';
import { bareName } from '../../crawl/frontier/url-key.ts';
import type { WalkPage } from '../../crawl/site-walk/walk-queue.ts';
import { readSitemaps } from '../../crawl/sitemap/sitemap.ts';
import { checkRequests } from '../../net/checked-requests.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import { startDeadline } from '../../util/abort.ts';
import { createSlices } from '../../util/slices.ts';
import type { LinkInfo } from './map-list.ts';
import { type Home, type MapSite, WALK_KEYS } from './map-site.ts';

const MAX_ENTRIES = 500_000;
/** Starting points for the walk; further URLs are only listed. */
const MAX_SEEDS = 2_000;
/** Entries that are judged with one call. */
const AT_A_TIME = 500;

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
  const { deps, request, start, trust, threatCheck, found, limits } = site;
  const { sitemaps } = await deps.robots.of(at, trust, signal);
  const callerHeaders = CallerHeaders.for(start, request.headers);
  const onProblem = (problem: string) => found.problems.push(problem);
  const asked = { site: at, declared: sitemaps, maxEntries: MAX_ENTRIES, onProblem };
  const late = new Error('No sitemap arrived in time.');
  const patience = startDeadline(limits.sitemapMs, () => late, signal);
  const seeds: WalkPage[] = [];
  let batch: KnownUrl[] = [];
  let count = 0;
  const listBatch = async () => {
    const urls = batch;
    batch = [];
    await listUrls(site, await opening, urls, seeds);
  };
  try {
    const egress = checkRequests(deps.egress, threatCheck?.check);
    const source = { egress, headers: await deps.agent.headers(), callerHeaders, ...trust };
    for await (const { url, title, description } of readSitemaps(source, asked, patience.signal)) {
      patience.done();
      count += 1;
      batch.push({ url, about: { ...(title && { title }), ...(description && { description }) } });
      if (batch.length < AT_A_TIME) continue;
      await listBatch();
      if (found.list.isFull) return seeds;
    }
  } catch (error) {
    if (error !== late) throw error;
    onProblem(late.message);
  } finally {
    patience.done();
  }
  await listBatch();
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
    const urls = known.map(({ url, ...about }) => ({ url, about }));
    for (let at = 0; at < urls.length; at += AT_A_TIME) {
      await listUrls(site, home, urls.slice(at, at + AT_A_TIME), seeds);
    }
  }
  return seeds;
}

function hostsOf({ hostname, port }: URL, subdomains: boolean): string[] {
  const host = bareName(hostname) + (port === '' ? '' : `:${port}`);
  return subdomains ? [host] : [host, `www.${host}`];
}

interface KnownUrl {
  url: string;
  about: LinkInfo;
}

async function listUrls(
  { deps, found }: MapSite,
  { rules }: Home,
  known: KnownUrl[],
  seeds: WalkPage[],
): Promise<void> {
  if (known.length === 0) return;
  const slices = createSlices();
  const judgements = await deps.linkRules.decide(
    rules,
    known.map(({ url }) => url),
  );
  for (const [index, { url: address, about }] of known.entries()) {
    if (slices.isOver()) await slices.next();
    const judgement = judgements[index]!;
    if (judgement === 'unjudged') found.unjudged += 1;
    if (judgement === 'out' || judgement === 'unjudged') continue;
    const url = new URL(address);
    found.list.add(url, about);
    if (judgement === 'in' && seeds.length < MAX_SEEDS) seeds.push(seedTask(url, WALK_KEYS));
  }
}
