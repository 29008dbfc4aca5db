// One page with what was made of it: from the cache when its age fits, else fetched and transformed. Nothing is written
// here: `keep` says what the caller's own transaction has to write.
import { ServiceError } from '../contracts/errors.ts';
import type { PageHeader, PageOutcome, TransformFormat, TransformOptions } from '../contracts/page.ts';
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import { pageKey } from '../fetch/cache-key.ts';
import type { FetchEngine } from '../fetch/engine.ts';
import type { Manual } from '../fetch/manual.ts';
import { planAttempts } from '../fetch/plan.ts';
import { runAttempts } from '../fetch/run.ts';
import type { Egress } from '../net/egress.ts';
import type { Keep, PageStore } from '../store/pages.ts';
import { transformKey } from '../transform/transform-key.ts';
import type { Transformer } from '../transform/transformer.ts';
import type { Clock } from '../util/clock.ts';
import { normaliseUrl } from '../util/url.ts';
import { admitText } from './admit-text.ts';
import { acceptedAge, cacheExpiry, cacheOnly } from './page-cache.ts';

export interface ReadPageDeps {
  egress: Egress;
  http: FetchEngine;
  manual: Pick<Manual, 'has' | keyof FetchEngine>;
  transformer: Transformer;
  pages: PageStore;
  clock: Clock;
}

export type PageOptions = ScrapeOptions & { zeroDataRetention: boolean };

export interface PageRequest {
  url: URL;
  options: PageOptions;
  /** When the caller's time is over. */
  deadline: number;
  /** Added to the User-Agent: crawls say who they are. */
  agent?: string;
  /** A host that says "not now" is not waited for: the caller does that. */
  isBusyFinal?: boolean;
}

export interface Reading {
  header: PageHeader;
  outcome: PageOutcome;
  /** What is there to keep; whether it may be kept at all is the caller's to say. */
  keep: Keep;
  /** Undefined when the cache was not consulted. */
  cacheState: 'hit' | 'miss' | undefined;
}

export async function readPage(deps: ReadPageDeps, request: PageRequest, signal: AbortSignal): Promise<Reading> {
  const { options } = request;
  const made = transformOptions(options);
  return (await readCached(deps, request, made, signal)) ?? (await fetchPage(deps, request, made, signal));
}

async function readCached(
  { pages, transformer, clock }: ReadPageDeps,
  { url, options }: PageRequest,
  made: TransformOptions,
  signal: AbortSignal,
): Promise<Reading | undefined> {
  const now = clock.now();
  const age = acceptedAge(options, now);
  const query = { key: pageKey(url, options), transformKey: transformKey(made), now };
  const cached = age && (await pages.find({ ...query, ...age }));
  if (!cached) {
    if (cacheOnly(options)) {
      throw new ServiceError(options.lockdown ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA');
    }
    return undefined;
  }
  if ('outcome' in cached) {
    const { header, outcome, resultId } = cached;
    return { header, outcome, keep: { resultId }, cacheState: 'hit' };
  }
  const page = { ...cached.header, bytes: cached.bytes };
  const outcome = await transformer.transform({ page, options: made }, signal);
  const result = { transformKey: query.transformKey, outcome, now };
  const keep = leavesTraces(options) ? { result, pageId: cached.pageId } : { result };
  return { header: cached.header, outcome, keep, cacheState: 'hit' };
}

async function fetchPage(
  deps: ReadPageDeps,
  { url, options, deadline, agent, isBusyFinal }: PageRequest,
  made: TransformOptions,
  signal: AbortSignal,
): Promise<Reading> {
  const isKept = leavesTraces(options) && options.storeInCache;
  const { page, outcome: whole } = await runAttempts(
    planAttempts(options, {
      manual: deps.manual.has(url) ? deps.manual : undefined,
      http: deps.http,
      hasEnhancedProxy: deps.egress.hasProxy('enhanced'),
      isRendered: false,
    }),
    {
      url,
      headers: options.headers,
      mobile: options.mobile,
      location: options.location,
      verifyTls: !options.skipTlsVerification,
      waitFor: options.waitFor,
      blockAds: options.blockAds,
      actions: options.actions,
      deadline,
      agent,
      isBusyFinal,
      admit: admitText,
    },
    // The transform takes the bytes away to another thread; the cache still wants them (and the slice of a Buffer is no copy).
    (page, stop) =>
      deps.transformer.transform(
        {
          page: { ...page, bytes: new Uint8Array(page.bytes) },
          options: made,
          index: isKept && isUsualVariant(options),
        },
        stop,
      ),
    signal,
  );
  // The entry goes beside the page: a result is for callers.
  const { entry, ...outcome } = whole;
  if (outcome.verdict.kind === 'challenge') {
    throw new ServiceError('SCRAPE_SITE_ERROR', { message: outcome.verdict.reason });
  }
  const { bytes: _, ...header } = page;
  const result = { transformKey: transformKey(made), outcome, now: deps.clock.now() };
  const cacheable = {
    key: pageKey(url, options),
    url: normaliseUrl(url),
    fetched: page,
    expiresAt: cacheExpiry(page, outcome.verdict),
    ...(entry && { entry }),
  };
  return {
    header,
    outcome,
    keep: isKept ? { result, page: cacheable } : { result },
    cacheState: acceptedAge(options, deps.clock.now()) ? 'miss' : undefined,
  };
}

/** Whether anything may stay behind once the caller has the page. */
export const leavesTraces = (options: PageOptions): boolean => !options.zeroDataRetention && !options.lockdown;

/** The page as anybody would get it. What a telephone or another country is shown has no place in the index. */
const isUsualVariant = ({ mobile, location, waitFor, blockAds, proxy }: PageOptions): boolean =>
  !mobile &&
  waitFor === 0 &&
  blockAds &&
  proxy !== 'enhanced' &&
  location.country === 'US' &&
  location.languages.join() === 'en-US';

const TRANSFORM_FORMATS: readonly string[] = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'attributes',
] satisfies TransformFormat[];

function transformOptions(options: ScrapeOptions): TransformOptions {
  const types = options.formats.map((format) => format.type).filter((type) => TRANSFORM_FORMATS.includes(type));
  const attributes = options.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []));
  return {
    formats: [...new Set(types)].sort() as TransformFormat[],
    ...(attributes.length > 0 && { attributes }),
    onlyMainContent: options.onlyMainContent,
    includeTags: options.includeTags,
    excludeTags: options.excludeTags,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds,
  };
}
