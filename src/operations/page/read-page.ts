// Reads one page, from the cache if its age fits, else from the web. Nothing is written here: `toStore` holds what the
// caller's own transaction has to write.
import { type PageHeader, type PageOutcome, TRANSFORM_FORMATS, type TransformOptions } from '../../contracts/page.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import { pageKey, pageVariant, variantRank } from '../../fetch/page-variant.ts';
import type { PageStore, PageToStore } from '../../store/page-store.ts';
import { transformKey } from '../../transform/transform-key.ts';
import type { Clock } from '../../util/clock.ts';
import { normaliseUrl } from '../../util/url.ts';
import { cacheMiss } from './cache-miss.ts';
import { type FetchPageDeps, fetchPage } from './fetch-page.ts';
import { interpretPage, pdfOptions } from './interpret-page.ts';
import { acceptedAge, cacheExpiry, cacheOnly, hasCaptures } from './page-cache.ts';
import { mayStore, type PageOptions, type PageRequest } from './page-request.ts';

export interface ReadPageDeps extends FetchPageDeps {
  pages: PageStore;
  clock: Clock;
}

export interface Reading {
  header: PageHeader;
  outcome: PageOutcome;
  /** What there is to store. The caller decides whether it may be stored. */
  toStore: PageToStore;
  /** Undefined when the cache was not consulted. */
  cacheState: 'hit' | 'miss' | undefined;
}

export async function readPage(deps: ReadPageDeps, request: PageRequest, signal: AbortSignal): Promise<Reading> {
  const { options } = request;
  const made = transformOptions(options);
  const cached = await readCached(deps, request, made, signal);
  return cached && !isWorthRendering(deps, options, cached) ? cached : readFresh(deps, request, made, signal);
}

/** A cached empty shell that was never rendered: stored in fast mode, or while there was no browser. */
const isWorthRendering = ({ browser }: ReadPageDeps, options: PageOptions, { header, outcome }: Reading): boolean =>
  outcome.verdict.kind === 'empty-shell' &&
  header.engine === 'http' &&
  !options.fastMode &&
  !cacheOnly(options) &&
  browser.unavailable() === undefined;

async function readCached(
  deps: ReadPageDeps,
  { url, options, deadline, budget }: PageRequest,
  made: TransformOptions,
  signal: AbortSignal,
): Promise<Reading | undefined> {
  const { pages, clock } = deps;
  const now = clock.now();
  const age = acceptedAge(options, now);
  const variant = pageVariant(options);
  const query = {
    key: pageKey(url, variant),
    transformKey: transformKey(made),
    verifiedOnly: !options.skipTlsVerification,
    now,
  };
  const cached = age && (await pages.find({ ...query, ...age }));
  if (!cached) {
    if (!cacheOnly(options)) return undefined;
    throw cacheMiss(options, variant, await pages.variants(normaliseUrl(url), now), now);
  }
  if ('outcome' in cached) {
    const { header, outcome, resultId } = cached;
    return { header, outcome, toStore: { resultId }, cacheState: 'hit' };
  }
  const page = { ...cached.header, bytes: cached.bytes };
  const wanted = { parsers: options.parsers, made, deadline, budget, isIndexed: false };
  const outcome = await interpretPage(deps, page, wanted, signal);
  const result = { transformKey: query.transformKey, outcome, now };
  const isKept = mayStore(options) && !outcome.document?.isPartial;
  const toStore = isKept ? { result, pageId: cached.pageId } : { result };
  return { header: cached.header, outcome, toStore, cacheState: 'hit' };
}

async function readFresh(
  deps: ReadPageDeps,
  request: PageRequest,
  made: TransformOptions,
  signal: AbortSignal,
): Promise<Reading> {
  const { url, options } = request;
  const isKept = mayStore(options) && options.storeInCache && !hasCaptures(options);
  const { page, outcome, entry } = await fetchPage(deps, request, made, isKept, signal);
  const { bytes: _, ...header } = page;
  const now = deps.clock.now();
  const result = { transformKey: transformKey(made), outcome, now };
  const variant = pageVariant(options);
  const cacheable = {
    key: pageKey(url, variant),
    url: normaliseUrl(url),
    variant,
    rank: variantRank(variant, page.isVerified === true),
    fetched: page,
    expiresAt: cacheExpiry(page, outcome.verdict),
    ...(entry && { entry }),
  };
  return {
    header,
    outcome,
    toStore: isKept && !outcome.document?.isPartial ? { result, page: cacheable } : { result },
    cacheState: acceptedAge(options, now) ? 'miss' : undefined,
  };
}

export function transformOptions(options: ScrapeOptions): TransformOptions {
  const requested = new Set<string>(options.formats.map((format) => format.type));
  const attributes = options.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []));
  const pdf = pdfOptions(options.parsers);
  return {
    formats: TRANSFORM_FORMATS.filter((format) => requested.has(format)).sort(),
    ...(attributes.length > 0 && { attributes }),
    onlyMainContent: options.onlyMainContent,
    includeTags: options.includeTags,
    excludeTags: options.excludeTags,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds,
    ...(pdf !== undefined && { pdf }),
  };
}
