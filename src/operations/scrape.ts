// Scrape one page: refuse early, look into the cache, else fetch and transform, keep what may be kept, answer.
import type { Document } from '../contracts/document.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { PageHeader, TransformFormat, TransformOptions, TransformOutcome } from '../contracts/page.ts';
import type { ScrapeRequest, ScrapeResponse } from '../contracts/scrape.ts';
import { pageKey } from '../fetch/cache-key.ts';
import type { FetchEngine } from '../fetch/engine.ts';
import { planAttempts } from '../fetch/plan.ts';
import { runAttempts } from '../fetch/run.ts';
import type { Egress } from '../net/egress.ts';
import type { PageStore } from '../store/pages.ts';
import type { ScrapeStore } from '../store/scrapes.ts';
import { transformKey } from '../transform/transform-key.ts';
import type { Transformer } from '../transform/transformer.ts';
import { deadline, raceAbort } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { isUuid, uuidv7 } from '../util/ids.ts';
import { normaliseUrl } from '../util/url.ts';
import { admitText } from './admit-text.ts';
import { checkCapabilities } from './check-capabilities.ts';
import type { Concurrency, Place } from './concurrency.ts';
import type { Caller } from './context.ts';
import { DNS_FAILURE_CREDITS, LOCKDOWN_MISS_CREDITS, scrapeCredits } from './credits.ts';
import { assembleDocument, documentMetadata } from './document.ts';
import { acceptedAge, cacheExpiry, cacheOnly } from './page-cache.ts';
import { targetUrl } from './target-url.ts';

export const RESULT_RETENTION_MS = 24 * 3_600_000;

export interface ScrapeDeps {
  egress: Egress;
  http: FetchEngine;
  transformer: Transformer;
  pages: PageStore;
  scrapes: ScrapeStore;
  concurrency: Concurrency;
  features: readonly string[];
  clock: Clock;
}

/** A page with what was made of it, wherever it came from. */
interface Found {
  header: PageHeader;
  outcome: TransformOutcome;
  /** Where the result is kept; undefined when nothing may be kept. */
  resultId: string | undefined;
  cacheState: 'hit' | 'miss' | undefined;
}

export async function scrape(deps: ScrapeDeps, caller: Caller, request: ScrapeRequest): Promise<ScrapeResponse> {
  const hasEnhancedProxy = deps.egress.hasProxy('enhanced');
  const warnings = checkCapabilities(request, { features: deps.features, hasEnhancedProxy });
  const url = targetUrl(request.url, deps.egress);
  const budget = deadline(request.timeout, () => new ServiceError('SCRAPE_TIMEOUT'), caller.signal);
  const deadlineAt = deps.clock.now() + request.timeout;
  let place: Place | undefined;
  try {
    place = await deps.concurrency.enter(caller.team.id, request.timeout, budget.signal);
    const found = await raceAbort(find(deps, caller, request, url, deadlineAt, budget.signal), budget.signal);
    return await answer(deps, caller, request, found, warnings, place.queuedMs);
  } finally {
    place?.leave();
    budget.done();
  }
}

async function find(
  deps: ScrapeDeps,
  caller: Caller,
  request: ScrapeRequest,
  url: URL,
  deadlineAt: number,
  signal: AbortSignal,
): Promise<Found> {
  const options = transformOptions(request);
  const names = { page: pageKey(url, request), transform: transformKey(options) };
  const cached = await findCached(deps, request, names, options, signal);
  if (cached) return cached;
  if (cacheOnly(request)) throw await cacheMiss(deps, caller, request);

  const fetched = await runAttempts(
    planAttempts(request, { http: deps.http, hasEnhancedProxy: deps.egress.hasProxy('enhanced') }),
    {
      url,
      headers: request.headers,
      mobile: request.mobile,
      location: request.location,
      verifyTls: !request.skipTlsVerification,
      deadline: deadlineAt,
      admit: admitText,
    },
    // The transform takes the bytes away to another thread; the cache still wants them (and the slice of a Buffer is no copy).
    (page, stop) => deps.transformer.transform({ page: { ...page, bytes: new Uint8Array(page.bytes) }, options }, stop),
    signal,
  ).catch(async (error: unknown) => {
    if (error instanceof ServiceError && error.code === 'SCRAPE_DNS_RESOLUTION_ERROR') {
      await charge(deps, caller, DNS_FAILURE_CREDITS);
    }
    throw error;
  });

  const { page, outcome } = fetched;
  if (outcome.verdict.kind === 'challenge') {
    throw new ServiceError('SCRAPE_SITE_ERROR', { message: outcome.verdict.reason });
  }
  const result = { transformKey: names.transform, outcome, now: deps.clock.now() };
  const resultId = !retains(request)
    ? undefined
    : request.storeInCache
      ? await deps.pages.put(names.page, normaliseUrl(url), page, cacheExpiry(page, outcome.verdict), result)
      : await deps.pages.putResult(result);
  const { bytes: _, ...header } = page;
  return { header, outcome, resultId, cacheState: acceptedAge(request, deps.clock.now()) ? 'miss' : undefined };
}

async function findCached(
  { pages, transformer, clock }: ScrapeDeps,
  request: ScrapeRequest,
  names: { page: string; transform: string },
  options: TransformOptions,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const now = clock.now();
  const age = acceptedAge(request, now);
  const cached = age && (await pages.find({ key: names.page, transformKey: names.transform, ...age, now }));
  if (!cached) return undefined;
  if ('outcome' in cached) {
    const resultId = retains(request) ? cached.resultId : undefined;
    return { header: cached.header, outcome: cached.outcome, resultId, cacheState: 'hit' };
  }
  const outcome = await transformer.transform({ page: { ...cached.header, bytes: cached.bytes }, options }, signal);
  const result = { transformKey: names.transform, outcome, now };
  const resultId = retains(request) ? await pages.putResult(result, cached.pageId) : undefined;
  return { header: cached.header, outcome, resultId, cacheState: 'hit' };
}

async function answer(
  deps: ScrapeDeps,
  { team }: Caller,
  request: ScrapeRequest,
  { header, outcome, resultId, cacheState }: Found,
  warnings: string[],
  queuedMs: number,
): Promise<ScrapeResponse> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const creditsUsed = scrapeCredits({
    page: header,
    verdict: outcome.verdict,
    fromCache: cacheState === 'hit',
    lockdown: request.lockdown,
    zeroDataRetention: request.zeroDataRetention,
  });
  const facts = { scrapeId: id, requestedUrl: request.url, creditsUsed, cacheState, queuedMs };
  const metadata = documentMetadata(header, outcome, facts);
  const notes = [
    ...warnings,
    ...outcome.warnings,
    ...(outcome.verdict.kind === 'content' ? [] : [outcome.verdict.reason]),
  ];
  const warning = notes.length > 0 ? notes.join(' ') : undefined;
  await deps.scrapes.add(
    { teamId: team.id, credits: creditsUsed, now, succeeded: true },
    resultId === undefined
      ? undefined
      : {
          id,
          teamId: team.id,
          url: request.url,
          options: request,
          metadata,
          warning,
          resultId,
          createdAt: now,
          expiresAt: now + RESULT_RETENTION_MS,
        },
  );
  return { success: true, data: assembleDocument(outcome.content, metadata, warning), ...(warning && { warning }) };
}

/** Reads back what an earlier scrape of the same team answered. */
export async function readScrape(
  { scrapes, clock }: Pick<ScrapeDeps, 'scrapes' | 'clock'>,
  { team }: Caller,
  id: string,
): Promise<ScrapeResponse> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const stored = await scrapes.find(id, team.id, clock.now());
  if (!stored) throw new ServiceError('JOB_NOT_FOUND');
  const metadata = stored.metadata as Document['metadata'];
  return { success: true, data: assembleDocument(stored.outcome.content, metadata, stored.warning) };
}

const retains = (request: ScrapeRequest): boolean => !request.zeroDataRetention && !request.lockdown;

const charge = ({ scrapes, clock }: ScrapeDeps, { team }: Caller, credits: number) =>
  scrapes.add({ teamId: team.id, credits, now: clock.now() });

async function cacheMiss(deps: ScrapeDeps, caller: Caller, request: ScrapeRequest): Promise<ServiceError> {
  if (!request.lockdown) return new ServiceError('SCRAPE_NO_CACHED_DATA');
  await charge(deps, caller, LOCKDOWN_MISS_CREDITS);
  return new ServiceError('SCRAPE_LOCKDOWN_CACHE_MISS');
}

const TRANSFORM_FORMATS: readonly string[] = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'attributes',
] satisfies TransformFormat[];

function transformOptions(request: ScrapeRequest): TransformOptions {
  const types = request.formats.map((format) => format.type).filter((type) => TRANSFORM_FORMATS.includes(type));
  const attributes = request.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []));
  return {
    formats: [...new Set(types)].sort() as TransformFormat[],
    ...(attributes.length > 0 && { attributes }),
    onlyMainContent: request.onlyMainContent,
    includeTags: request.includeTags,
    excludeTags: request.excludeTags,
    removeBase64Images: request.removeBase64Images,
    blockAds: request.blockAds,
  };
}
