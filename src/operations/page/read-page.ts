// Reads one page, from the cache if its age fits, else from the web. Nothing is written here: `toStore` holds what the
// caller's own transaction has to write.
import {
  type AttemptRecord,
  type PageHeader,
  type PageOutcome,
  TRANSFORM_FORMATS,
  type TransformOptions,
} from '../../contracts/page.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import { withTabInQuery } from '../../fetch/export-address.ts';
import { pageKey, pageVariant, variantRank } from '../../fetch/page-variant.ts';
import type { CachedPage, NewPage, PageStore, PageToStore } from '../../store/page-store.ts';
import { transformKey } from '../../transform/transform-key.ts';
import type { Clock } from '../../util/clock.ts';
import { normaliseUrl } from '../../util/url.ts';
import { cacheMiss } from './cache-miss.ts';
import { type FetchPageDeps, fetchPage } from './fetch-page.ts';
import { interpretPage, pdfOptions } from './interpret-page.ts';
import { acceptedAge, bypassesCache, cacheExpiry, cacheOnly, hasCaptures } from './page-cache.ts';
import { mayStore, type PageOptions, type PageRequest } from './page-request.ts';
import { confirmedHeader, isConfirmation, validatorsOf } from './revalidate.ts';

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
  /** How the page was fetched; absent if it came from the cache or an upload. */
  attempts?: AttemptRecord[];
}

export async function readPage(deps: ReadPageDeps, asked: PageRequest, signal: AbortSignal): Promise<Reading> {
  const request = { ...asked, url: withTabInQuery(asked.url) };
  const made = transformOptions(request.options);
  const copy = await findCopy(deps, request, made);
  if (!copy?.isAccepted) return readFresh(deps, request, made, copy, signal);
  const read = await readCopy(deps, request, made, copy, signal);
  const cached: Reading = { header: copy.header, ...read, cacheState: 'hit' };
  return isWorthRendering(deps, request.options, cached) ? readFresh(deps, request, made, copy, signal) : cached;
}

/** A cached empty shell that was never rendered: stored in fast mode, or while there was no browser. */
const isWorthRendering = ({ browser }: ReadPageDeps, options: PageOptions, { header, outcome }: Reading): boolean =>
  outcome.verdict.kind === 'empty-shell' &&
  header.engine !== 'browser' &&
  !options.fastMode &&
  !cacheOnly(options) &&
  browser.unavailable() === undefined;

/** A cached page. If it is too old for the request, its site may still confirm it. */
type Copy = CachedPage & { isAccepted: boolean };

async function findCopy(
  { pages, clock }: ReadPageDeps,
  { url, options, lastModified }: PageRequest,
  made: TransformOptions,
): Promise<Copy | undefined> {
  const now = clock.now();
  const age = acceptedAge(options, now, lastModified);
  const variant = pageVariant(options);
  const query = {
    key: pageKey(url, variant),
    transformKey: transformKey(made),
    verifiedOnly: !options.skipTlsVerification,
    now,
  };
  const wanted = cacheOnly(options) ? age : { from: 0, until: now };
  const found = wanted && !bypassesCache(options) ? await pages.find({ ...query, ...wanted }) : undefined;
  if (found) return { ...found, isAccepted: age !== undefined && found.header.fetchedAt >= age.from };
  if (!cacheOnly(options)) return undefined;
  throw cacheMiss(options, variant, await pages.variants(normaliseUrl(url), now), now);
}

interface ReadCopy {
  outcome: PageOutcome;
  toStore: Exclude<PageToStore, { page: NewPage }>;
}

/** The copy in the requested formats. Call it once: its bytes move to another thread. */
async function readCopy(
  deps: ReadPageDeps,
  { options, deadline, budget }: PageRequest,
  made: TransformOptions,
  copy: Copy,
  signal: AbortSignal,
): Promise<ReadCopy> {
  if ('outcome' in copy) return { outcome: copy.outcome, toStore: { resultId: copy.resultId } };
  const page = { ...copy.header, bytes: copy.bytes };
  const wanted = { parsers: options.parsers, made, deadline, budget, isIndexed: false };
  const outcome = await interpretPage(deps, page, wanted, signal);
  const result = { transformKey: transformKey(made), outcome, now: deps.clock.now() };
  const isKept = mayStore(options) && !outcome.document?.isPartial;
  return { outcome, toStore: isKept ? { result, pageId: copy.pageId } : { result } };
}

async function readFresh(
  deps: ReadPageDeps,
  request: PageRequest,
  made: TransformOptions,
  copy: Copy | undefined,
  signal: AbortSignal,
): Promise<Reading> {
  const { url, options, lastModified } = request;
  const isKept = mayStore(options) && options.storeInCache && !hasCaptures(options);
  const validators = copy && validatorsOf(copy.header);
  let copyRead: Promise<ReadCopy> | undefined;
  const known = copy &&
    validators && {
      validators,
      read: async (stop: AbortSignal) => {
        copyRead ??= readCopy(deps, request, made, copy, stop);
        return (await copyRead).outcome;
      },
    };
  const { page, outcome, entry, attempts } = await fetchPage(deps, request, { made, isIndexed: isKept, known }, signal);
  const { bytes: _, ...header } = page;
  const now = deps.clock.now();
  const cacheState = acceptedAge(options, now, lastModified) ? 'miss' : undefined;
  if (copy && copyRead && isConfirmation(page, validators)) {
    const confirmed = confirmedHeader(copy.header, header);
    const { toStore } = await copyRead;
    const mayCheck = isKept && confirmed.isVerified === copy.header.isVerified;
    const checked = mayCheck ? { checked: { pageId: copy.pageId, at: page.fetchedAt } } : {};
    return { header: confirmed, outcome, toStore: { ...toStore, ...checked }, cacheState, attempts };
  }
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
  const toStore = isKept && !outcome.document?.isPartial ? { result, page: cacheable } : { result };
  return { header, outcome, toStore, cacheState, attempts };
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
