// Loads one page for a map: from the cache if possible, else from the site, within robots.txt and politeness.

import type { MapRequest } from '../../contracts/crawl/map.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { DEFAULT_MAX_AGE_MS } from '../../contracts/scrape/cache-ages.ts';
import { scrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { HostSlots } from '../../crawl/politeness/host-slots.ts';
import type { HostAnswer } from '../../crawl/politeness/politeness.ts';
import type { RobotsTrust } from '../../crawl/robots/robots.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import { retryAfter } from '../../net/http/retry-after.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Log } from '../../runtime/log.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import { type CrawlHandlerDeps, robotsUnreadable } from '../crawl/crawl-task.ts';
import { privateOptions } from '../page/cache/page-cache.ts';
import type { Page } from '../page/page.ts';
import type { PageOptions, PageRequest } from '../page/page-request.ts';
import { type ReadPageDeps, readPage } from '../page/read-page.ts';

export interface PageLoadDeps extends ReadPageDeps, Pick<CrawlHandlerDeps, 'robots' | 'politeness' | 'agent'> {
  linkRules: Pick<LinkRules, 'includesStart' | 'discover' | 'decide'>;
  indexer: Pick<Indexer, 'wake'>;
  log: Pick<Log, 'error'>;
}

export type PageLoad =
  | { state: 'read'; page: Page; wasFetched: boolean }
  | { state: 'failed'; error: ServiceError; wasFetched: boolean; isBusy?: boolean }
  | { state: 'forbidden'; wasFetched: false };

/** Throws only if the signal aborts or on an internal error. */
export type LoadPage = (url: URL, signal: AbortSignal) => Promise<PageLoad>;

const PAGE_SECONDS = 20;
const BUSY = new Set([429, 503]);

export interface PageLoadRequest {
  teamId: string;
  request: MapRequest;
  start: URL;
  trust: RobotsTrust;
  limits: { isTraceless: boolean };
  threatCheck: ThreatCheck | undefined;
}

export function createPageLoader(
  deps: PageLoadDeps,
  slots: HostSlots,
  { teamId, request, start, trust, threatCheck, limits: { isTraceless } }: PageLoadRequest,
): LoadPage {
  const { clock } = deps;
  const headers = CallerHeaders.for(start, request.headers);
  const optionsFor = createPageOptions(request, headers, isTraceless);

  /** Needs no slot at the host, because no request is sent. */
  async function readCached(url: URL, signal: AbortSignal): Promise<Page | undefined> {
    const options = optionsFor(url);
    if (request.ignoreCache || privateOptions(options).length > 0) return undefined;
    try {
      return await readInTime(deps, { url, teamId, threatCheck, headers, options: { ...options, minAge: 0 } }, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SCRAPE_NO_CACHED_DATA') return undefined;
      throw error;
    }
  }

  async function readFresh(url: URL, signal: AbortSignal): Promise<Page> {
    const leave = await slots.acquire(url.host, signal);
    const began = clock.now();
    let answer: HostAnswer = {};
    try {
      const page = await readInTime(
        deps,
        { url, teamId, threatCheck, headers, options: { ...optionsFor(url), maxAge: 0 } },
        signal,
      );
      answer = answerOf(page, began);
      return page;
    } catch (error) {
      if (!signal.aborted) answer = { ms: clock.now() - began };
      throw error;
    } finally {
      leave(answer);
    }
  }

  return async (url, signal) => {
    let wasFetched = false;
    try {
      // Before robots.txt: a host that is refused gets no request at all.
      if (threatCheck) await threatCheck.check(url, signal);
      let page = await readCached(url, signal);
      if (!page) {
        const refused = await checkRobots(deps, url, trust, signal);
        if (refused) return refused;
        wasFetched = true;
        page = await readFresh(url, signal);
        // Not stored, so that the next try does not find the error page in the cache.
        if (BUSY.has(page.header.status)) return busy(page.header.status);
      }
      if (!isTraceless) await storePage(deps, page);
      return { state: 'read', page, wasFetched };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || error.code === 'UNKNOWN_ERROR') throw error;
      return { state: 'failed', error, wasFetched };
    }
  };
}

/** Pages that get none of the caller's headers are public, so they may come from the cache. */
function createPageOptions(
  request: MapRequest,
  headers: CallerHeaders,
  zeroDataRetention: boolean,
): (url: URL) => PageOptions {
  const base = { formats: [], location: request.location, maxAge: DEFAULT_MAX_AGE_MS };
  const plain = { ...scrapeOptions.parse(base), zeroDataRetention };
  const withHeaders = { ...scrapeOptions.parse({ ...base, headers: request.headers }), zeroDataRetention };
  return (url) => (headers.isFor(url) ? withHeaders : plain);
}

async function readInTime(
  deps: PageLoadDeps,
  asked: Pick<PageRequest, 'url' | 'teamId' | 'threatCheck' | 'headers' | 'options'>,
  signal: AbortSignal,
): Promise<Page> {
  const ms = PAGE_SECONDS * 1000;
  const time = startDeadline(ms, () => siteError(`The page did not arrive within ${PAGE_SECONDS} seconds.`), signal);
  const page = {
    ...asked,
    deadline: deps.clock.now() + ms,
    isPatient: true as const,
    baseUrl: '',
    agent: deps.agent.token,
  };
  try {
    return await raceAbort(readPage(deps, page, time.signal), time.signal);
  } finally {
    time.done();
  }
}

async function storePage({ pages, indexer, log }: PageLoadDeps, { toStore }: Page): Promise<void> {
  if (!toStore || 'resultId' in toStore) return;
  await pages.save(toStore).then(indexer.wake, (error: unknown) => log.error({ err: error }, 'page not stored'));
}

/** Returns undefined if the page may be fetched. */
async function checkRobots(
  { robots, politeness, agent }: PageLoadDeps,
  url: URL,
  trust: RobotsTrust,
  signal: AbortSignal,
): Promise<PageLoad | undefined> {
  const site = await robots.of(url, trust, signal);
  const rules = site.rulesFor(agent.name);
  politeness.setCrawlDelay(url.host, (rules.crawlDelay ?? 0) * 1000);
  if (rules.allows(url)) return undefined;
  if (!site.failure) return { state: 'forbidden', wasFetched: false };
  return { state: 'failed', error: robotsUnreadable(site.failure), wasFetched: false };
}

const busy = (status: number): PageLoad => ({
  state: 'failed',
  error: siteError(`The site answered with status ${status}.`),
  wasFetched: true,
  isBusy: true,
});

const siteError = (message: string) => new ServiceError('SCRAPE_SITE_ERROR', { message });

const answerOf = ({ header }: Page, began: number): HostAnswer => ({
  ms: header.fetchedAt - began,
  status: header.status,
  retryAfter: retryAfter(header.headers['retry-after'], header.fetchedAt),
});
