// One page of a map: from the cache when it is there, else as robots.txt and politeness let it be fetched.
import { ServiceError } from '../../contracts/errors.ts';
import type { MapRequest } from '../../contracts/map.ts';
import { DEFAULT_MAX_AGE_MS, scrapeOptions } from '../../contracts/scrape-options.ts';
import type { HostSlots } from '../../crawl/politeness/host-slots.ts';
import type { HostAnswer } from '../../crawl/politeness/politeness.ts';
import { retryAfter } from '../../fetch/retry.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import { deadline, raceAbort } from '../../util/abort.ts';
import type { Log } from '../../util/log.ts';
import type { CrawlHandlerDeps } from '../crawl/crawl-handler.ts';
import { isPrivate } from '../page/page-cache.ts';
import type { PageOptions } from '../page/page-request.ts';
import { type Reading, type ReadPageDeps, readPage } from '../page/read-page.ts';

export interface PageLoadDeps extends ReadPageDeps, Pick<CrawlHandlerDeps, 'robots' | 'politeness' | 'agent'> {
  indexer: Pick<Indexer, 'wake'>;
  log: Log;
}

export type PageLoad =
  | { state: 'read'; reading: Reading; wasFetched: boolean }
  | { state: 'failed'; error: ServiceError; wasFetched: boolean; isBusy?: boolean }
  | { state: 'forbidden'; wasFetched: false };

/** Fails only when the signal aborts, or by a fault of ours. */
export type LoadPage = (url: URL, signal: AbortSignal) => Promise<PageLoad>;

const PAGE_SECONDS = 20;
const BUSY = new Set([429, 503]);

export function createPageLoader(deps: PageLoadDeps, slots: HostSlots, request: MapRequest, start: URL): LoadPage {
  const { robots, politeness, agent, clock, pages, indexer, log } = deps;
  const usual = { formats: [], location: request.location, maxAge: DEFAULT_MAX_AGE_MS };
  const open: PageOptions = { ...scrapeOptions.parse(usual), zeroDataRetention: false };
  const own = { ...scrapeOptions.parse({ ...usual, headers: request.headers }), zeroDataRetention: false };
  // The caller's headers were given for one site, and no link or subdomain may make them go elsewhere.
  const optionsFor = (url: URL) => (url.origin === start.origin ? own : open);

  async function read(url: URL, options: PageOptions, signal: AbortSignal): Promise<Reading> {
    const time = deadline(
      PAGE_SECONDS * 1000,
      () => siteError(`The page did not arrive within ${PAGE_SECONDS} seconds.`),
      signal,
    );
    const asked = { url, options, deadline: clock.now() + PAGE_SECONDS * 1000, baseUrl: '', agent: agent.token };
    try {
      return await raceAbort(readPage(deps, asked, time.signal), time.signal);
    } finally {
      time.done();
    }
  }

  /** Without a place at the host: nobody is asked. */
  async function readCached(url: URL, signal: AbortSignal): Promise<Reading | undefined> {
    const options = optionsFor(url);
    if (request.ignoreCache || isPrivate(options)) return undefined;
    try {
      return await read(url, { ...options, minAge: 0 }, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SCRAPE_NO_CACHED_DATA') return undefined;
      throw error;
    }
  }

  async function readFresh(url: URL, signal: AbortSignal): Promise<Reading> {
    const leave = await slots.acquire(url.host, signal);
    const began = clock.now();
    let answer: HostAnswer = {};
    try {
      const reading = await read(url, { ...optionsFor(url), maxAge: 0 }, signal);
      answer = answerOf(reading, began);
      return reading;
    } catch (error) {
      if (!signal.aborted) answer = { ms: clock.now() - began };
      throw error;
    } finally {
      leave(answer);
    }
  }

  async function remember({ toStore: keep }: Reading): Promise<void> {
    if (!keep || 'resultId' in keep) return;
    await pages.keep(keep).then(indexer.wake, (error: unknown) => log.error({ err: error }, 'page not stored'));
  }

  /** Undefined when the site lets it be fetched. */
  async function refusal(url: URL, signal: AbortSignal): Promise<PageLoad | undefined> {
    const site = await robots.of(url, signal);
    const rules = site.rulesFor(agent.name);
    politeness.setCrawlDelay(url.host, (rules.crawlDelay ?? 0) * 1000);
    if (rules.allows(url)) return undefined;
    if (!site.failure) return { state: 'forbidden', wasFetched: false };
    const message = `No page of the site was fetched because its robots.txt could not be read: ${site.failure.message}`;
    const error = new ServiceError(site.failure.code, { message, cause: site.failure });
    return { state: 'failed', error, wasFetched: false };
  }

  return async (url, signal) => {
    let wasFetched = false;
    try {
      let reading = await readCached(url, signal);
      if (!reading) {
        const refused = await refusal(url, signal);
        if (refused) return refused;
        wasFetched = true;
        reading = await readFresh(url, signal);
        // Not kept: the next try must not find it in the place of the page.
        if (BUSY.has(reading.header.status)) return busy(reading.header.status);
      }
      await remember(reading);
      return { state: 'read', reading, wasFetched };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || error.code === 'UNKNOWN_ERROR') throw error;
      return { state: 'failed', error, wasFetched };
    }
  };
}

const busy = (status: number): PageLoad => ({
  state: 'failed',
  error: siteError(`The site answered with status ${status}.`),
  wasFetched: true,
  isBusy: true,
});

const siteError = (message: string) => new ServiceError('SCRAPE_SITE_ERROR', { message });

const answerOf = ({ header }: Reading, began: number): HostAnswer => ({
  ms: header.fetchedAt - began,
  status: header.status,
  retryAfter: retryAfter(header.headers['retry-after'], header.fetchedAt),
});
