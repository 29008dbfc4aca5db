// The tools of a run: search, map and scrape as steps that are stored, within the limits of the run.

import { mapRequest } from '../../contracts/crawl/map.ts';
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { Format } from '../../contracts/formats/formats.ts';
import { formatCredits, PRICES } from '../../contracts/prices.ts';
import { NO_HEADERS } from '../../contracts/scrape/given-headers.ts';
import type { Location } from '../../contracts/scrape/location.ts';
import { applyDependentOptions, type ScrapeOptions, scrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import { searchRequest } from '../../contracts/search/search.ts';
import type { ThreatProtection } from '../../contracts/threats/threat-protection.ts';
import type { RunTools, StepDone } from '../../jobs/runs/run-handler.ts';
import type { RunEvent } from '../../store/ports/runs/run-store.ts';
import { normaliseUrl, readUrl } from '../../urls/url.ts';
import { hashOf } from '../../util/hash.ts';
import type { Caller } from '../caller.ts';
import type { PartOf } from '../charged.ts';
import type { MapDeps } from '../map/map.ts';
import { type ScrapeDeps, scrapePage } from '../scrape.ts';
import type { SearchDeps } from '../search/search.ts';
import { failureCredits } from '../team/credits.ts';
import { openThreatCheck } from '../threats/open-threat-check.ts';
import { createAllowedUrls } from './allowed-urls.ts';
import { gatheredPage } from './gathered-page.ts';
import { createRunBudget } from './run-budget.ts';
import {
  type FoundPage,
  type GatheredPage,
  isRefused,
  LIMIT_CODES,
  type Refused,
  type WebLimits,
  type WebTools,
} from './web-tools.ts';

export type WebToolsDeps = ScrapeDeps & SearchDeps & MapDeps;

export interface WebContext {
  run: RunTools;
  caller: Omit<Caller, 'signal'>;
  /** The run, which is billed for everything when it ends. */
  partOf: Omit<PartOf, 'isBilledAtItsEnd'>;
  limits: WebLimits;
  /** URLs that the caller named. Only their origins get the headers of `options`. */
  namedUrls?: readonly string[];
  zeroDataRetention: boolean;
  /** What the request says about the URLs that may be fetched. */
  threatProtection?: ThreatProtection | undefined;
  location?: Location;
  /** How pages are scraped; its formats are not used. */
  options?: ScrapeOptions;
  baseUrl: string;
  /** What the webhook of the run is told about a call. */
  eventsOf?: (call: { name: string; input: unknown; credits: number }) => RunEvent[];
}

const DEFAULT_LIMIT = 10;
const MAX_MAP_LINKS = 500;
const MAP_MS = 60_000;
const BUSY_TRIES = 5;
const DEFAULT_PAUSE_S = 2;
/** Tried again after a while. */
const BUSY = new Set<ErrorCode>(['QUEUE_FULL', 'CONCURRENCY_QUEUE_TIMEOUT']);
/** These are about this server, not about the page: the run stops, and is taken up again. */
const FATAL = new Set<ErrorCode>(['STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED', 'SERVICE_UNAVAILABLE']);

export function createWebTools(deps: WebToolsDeps, context: WebContext): WebTools {
  const { run, limits, location, zeroDataRetention, options, threatProtection = options?.threatProtection } = context;
  const { baseUrl } = context;
  const isAllowed = createAllowedUrls(limits.onlyWithin);
  const budget = createRunBudget(run, limits);

  const checked = { ...options, threatProtection, zeroDataRetention };
  const threatCheckOf = (caller: Omit<Caller, 'signal'>) => openThreatCheck(deps, caller, checked);

  /** The same call is the same step, also while that is still running. */
  function once<T extends object>(
    call: ToolCall,
    work: (caller: Caller, partOf: PartOf) => Promise<StepDone<T | Refused>>,
  ): Promise<T | Refused> {
    const { name, input, credits } = call;
    return run.step<T | Refused>({ key: `${name} ${hashOf(call.key)}`, name, input }, async (signal) => {
      if (call.refusal) return { output: call.refusal };
      const caller = { ...context.caller, signal };
      const threatCheck = await threatCheckOf(caller);
      const partOf = { ...context.partOf, isBilledAtItsEnd: true as const, ...(threatCheck && { threatCheck }) };
      const done = await budget.within(credits, () => unlessRefused(deps, signal, () => work(caller, partOf)));
      if (isRefused(done)) return { output: done };
      const paid = (done.credits ?? 0) + (threatCheck?.credits() ?? 0);
      const events = context.eventsOf?.({ name, input, credits: paid });
      return { ...done, credits: paid, reserved: credits, ...(events && { events }) };
    });
  }

  const keepAllowed = (pages: FoundPage[]): FoundPage[] => pages.filter(({ url }) => isAllowed(url));

  return {
    isAllowed,
    openThreatCheck: async () => threatCheckOf(context.caller),
    search(query, { limit = DEFAULT_LIMIT, hosts = hostsOf(limits.onlyWithin), excludedHosts = [], tbs } = {}) {
      const input = {
        ...{ query, limit },
        ...(hosts.length > 0 && { hosts }),
        ...(excludedHosts.length > 0 && { excludedHosts }),
        ...(tbs !== undefined && { tbs }),
      };
      return once<FoundPage[]>({ name: 'search', key: input, input, credits: 2 }, async (caller, partOf) => {
        const asked = {
          query,
          limit,
          includeDomains: hosts,
          excludeDomains: excludedHosts,
          ...(tbs !== undefined && { tbs }),
          zeroDataRetention,
          ...(location && { country: location.country }),
        };
        const request = parsed(() => searchRequest.parse(asked));
        const { runSearch } = await import('../search/search.ts');
        const { bytes } = await runSearch(deps, caller, request, baseUrl, partOf);
        const { data, creditsUsed } = JSON.parse(Buffer.from(bytes).toString()) as SearchAnswer;
        return { output: keepAllowed((data.web ?? []).map(describe)), credits: creditsUsed };
      });
    },

    map(url, { search, limit = MAX_MAP_LINKS, ...how } = {}) {
      const input = { url, ...(search && { search }), limit, ...how };
      const refusal = isAllowed(url) ? undefined : outside(url);
      return once<FoundPage[]>(
        { name: 'map', key: input, input, credits: 1, refusal },
        async (caller, { threatCheck }) => {
          const asked = { url, search, limit: Math.min(limit, MAX_MAP_LINKS), ...how, zeroDataRetention };
          const request = parsed(() => mapRequest.parse({ ...asked, ...(location && { location }) }));
          const { findLinks } = await import('../map/map.ts');
          const mapDeps = { ...deps, limits: { ...deps.limits, patienceMs: MAP_MS } };
          const { links } = await findLinks(mapDeps, caller, request, { threatCheck });
          return { output: keepAllowed(links.map(describe)), credits: PRICES.map };
        },
      );
    },

    scrape(url, { formats = [] } = {}) {
      const read = readUrl(url);
      const address = typeof read === 'string' ? url : normaliseUrl(read);
      const input = { url, ...(formats.length > 0 && { formats: formats.map(({ type }) => type) }) };
      const isCounted = budget.countPage(address);
      const refusal = !isAllowed(address) ? outside(url) : isCounted ? undefined : tooMany(limits.maxPagesPerHost);
      const credits = creditsOf(formats, zeroDataRetention);
      return once<GatheredPage>(
        { name: 'scrape', key: { address, formats }, input, credits, refusal },
        async (caller, partOf) => {
          const request = { ...optionsFor(context, read, formats), url: address, zeroDataRetention };
          const scraped = await scrapePage(deps, caller, request, baseUrl, partOf);
          const cost = { credits: scraped.metadata.creditsUsed, tokens: scraped.tokens };
          const { url: finalUrl } = scraped.metadata;
          if (!isAllowed(finalUrl)) return { output: outside(finalUrl), ...cost };
          return { output: gatheredPage(url, scraped, { isRedacted: request.redactPII !== false }), ...cost };
        },
      );
    },
  };
}

interface ToolCall {
  name: string;
  /** What makes the call the same as another. */
  key: unknown;
  /** What the trace shows. */
  input: unknown;
  /** What it will probably cost. */
  credits: number;
  /** Why it is not even tried. */
  refusal?: Refused | undefined;
}

interface SearchAnswer {
  creditsUsed: number;
  data: { web?: FoundPage[] };
}

/** Failures of the page or the request become its answer; those of this server, and the end of the run, are thrown. */
async function unlessRefused<T>(
  { clock, log }: Pick<WebToolsDeps, 'clock' | 'log'>,
  signal: AbortSignal,
  work: () => Promise<StepDone<T>>,
): Promise<StepDone<T | Refused>> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
      if (FATAL.has(known.code)) throw known;
      if (known.code === 'UNKNOWN_ERROR') log.error({ err: error }, 'a tool of a run failed');
      if (!BUSY.has(known.code) || tried === BUSY_TRIES) {
        return { output: { refused: known.message, code: known.code }, credits: failureCredits(error) };
      }
      await clock.sleep(tried * 1_000 * (known.retryAfter ?? DEFAULT_PAUSE_S), signal);
    }
  }
}

/** A model may write anything as a query or URL. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const { issues } = error as { issues?: { message: string }[] };
    throw new ServiceError('BAD_REQUEST', { message: issues?.[0]?.message ?? 'The request is not valid.' });
  }
}

function optionsFor({ options, location, namedUrls = [] }: WebContext, url: URL | string, formats: Format[]) {
  const given = options ?? scrapeOptions.parse({});
  const isNamed = typeof url !== 'string' && namedUrls.some((named) => originOf(named) === url.origin);
  return applyDependentOptions({
    ...given,
    ...(location && { location }),
    headers: isNamed ? given.headers : NO_HEADERS,
    formats: [{ type: 'markdown' as const }, { type: 'links' as const }, ...formats],
  });
}

function originOf(text: string): string | undefined {
  const url = readUrl(text);
  return typeof url === 'string' ? undefined : url.origin;
}

const creditsOf = (formats: readonly Format[], zeroDataRetention: boolean): number =>
  PRICES.page + formatCredits(formats) + (zeroDataRetention ? PRICES.zeroDataRetention : 0);

const hostsOf = (urls: readonly string[] = []): string[] => [
  ...new Set(urls.map(readUrl).flatMap((url) => (typeof url === 'string' ? [] : [url.hostname]))),
];

const describe = ({ url, title, description }: FoundPage): FoundPage => ({
  url,
  ...(title && { title }),
  ...(description && { description }),
});

const outside = (url: string): Refused => ({
  refused: `${url.slice(0, 200)} is outside of the URLs that this run may read.`,
  code: LIMIT_CODES.outside,
});

const tooMany = (pages: number): Refused => ({
  refused: `The run has already read ${pages} pages of this host, which is its limit.`,
  code: LIMIT_CODES.host,
});
