// Reads one page, from the cache if its age fits, else from the web. Nothing is written here: `toStore` holds what the
// caller's own transaction has to write.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { traitsOf } from '../../contracts/formats/format-traits.ts';
import type { ServiceMetrics } from '../../contracts/operator/metrics.ts';
import { withTabInQuery } from '../../fetch/export-address.ts';
import { pageKey, pageVariant, variantRank } from '../../fetch/page-variant.ts';
import type { TransformResult } from '../../page/page.ts';
import { EVERYONE, type PageSharing, SHARED } from '../../page/page-owner.ts';
import type { CarriedSource } from '../../page/understanding.ts';
import type { CachedPage, NewPage, PageQuery, PageStore, PageToStore } from '../../store/ports/pages/page-store.ts';
import { normaliseUrl } from '../../urls/url.ts';
import type { Clock } from '../../util/clock.ts';
import { cacheMiss, missCode } from './cache/cache-miss.ts';
import {
  acceptedAge,
  bypassesCache,
  cacheExpiry,
  cacheOnly,
  headerFor,
  screenshotKey,
  uncachedFormats,
} from './cache/page-cache.ts';
import { confirmedHeader, isConfirmation, validatorsOf } from './cache/revalidate.ts';
import { cachedScreenshot } from './capture-links.ts';
import { addChanges } from './changes/add-changes.ts';
import { changeTrackingOf } from './changes/history-keys.ts';
import type { TrackDeps } from './changes/track-changes.ts';
import { CONFIRMED, cacheNote, UNRENDERED } from './explain/cache-reason.ts';
import { timed } from './explain/page-trace.ts';
import { type FetchPageDeps, type FetchPageResult, fetchPage } from './fetch-page.ts';
import { interpretPage } from './interpret-page.ts';
import { isOfSite, keyOfResult, type Making, plainKey, prepareMaking, siteKey } from './making.ts';
import { type MissingFormat, requireOneFormat } from './missing-formats.ts';
import type { Page, PageWithSource } from './page.ts';
import { askerOf, mayStore, type PageOptions, type PageRequest } from './page-request.ts';
import type { SiteMemories } from './siblings/site-memories.ts';
import { sourceNeeds, type UnderstandDeps, understandPage } from './understanding/understand-page.ts';

export interface ReadPageDeps extends FetchPageDeps, UnderstandDeps, TrackDeps {
  pages: PageStore;
  sharing: PageSharing;
  siteMemories: SiteMemories;
  clock: Clock;
  metrics: Pick<ServiceMetrics, 'count'>;
}

export async function readPage(deps: ReadPageDeps, asked: PageRequest, signal: AbortSignal): Promise<Page> {
  const { metrics } = deps;
  try {
    const read = await readCachedOrFresh(deps, asked, signal);
    const { options, trace } = asked;
    const understood = await timed(trace, deps.clock, 'formats', async () =>
      sourceNeeds(options) ? understandPage(deps, { options, asker: askerOf(asked) }, read, signal) : read,
    );
    const { source: _, ...reading } = await timed(trace, deps.clock, 'changes', async () =>
      changeTrackingOf(options) ? addChanges(deps, asked, understood, signal) : understood,
    );
    const { cacheState = 'bypassed', header } = reading;
    metrics.count('trawl_cache_lookups_total', { result: cacheState });
    metrics.count('trawl_pages_total', { source: cacheState === 'hit' ? 'cache' : header.engine });
    return reading;
  } catch (error) {
    metrics.count('trawl_pages_total', { source: 'failed' });
    throw error;
  }
}

async function readCachedOrFresh(deps: ReadPageDeps, asked: PageRequest, signal: AbortSignal): Promise<PageWithSource> {
  const { threatCheck, trace, options, lastModified } = asked;
  const request = { ...asked, url: withTabInQuery(asked.url) };
  if (threatCheck) await threatCheck.check(request.url, signal);
  const making = await prepareMaking(deps, request);
  const copy = await timed(trace, deps.clock, 'cache', () => findCopy(deps, request, making));
  if (trace) trace.cache = cacheNote({ options, now: deps.clock.now(), lastModified, copy });
  if (!copy?.isAccepted) return readFresh(deps, request, making, copy, signal);
  const { header, ownContent, missing } = copy;
  // What was fetched for others, or before the rules changed, may come from a page that may not be fetched now.
  if (threatCheck) await threatCheck.check(new URL(header.finalUrl), signal);
  requireOneFormat(options.formats, missing);
  const read = await readCopy(deps, request, making, copy, signal);
  const cached: PageWithSource = { header, ownContent, missing, ...read, cacheState: 'hit' };
  if (!isWorthRendering(deps, options, cached)) return cached;
  if (trace) trace.cache = { ...cacheNote({ options, now: deps.clock.now(), copy: undefined }), reason: UNRENDERED };
  return readFresh(deps, request, making, copy, signal);
}

/** A cached empty shell that was never rendered: stored in fast mode, or while there was no browser. */
const isWorthRendering = ({ browser }: ReadPageDeps, options: PageOptions, { header, outcome }: Page): boolean =>
  outcome.verdict.kind === 'empty-shell' &&
  header.engine !== 'browser' &&
  !options.fastMode &&
  !cacheOnly(options) &&
  browser.unavailable() === undefined;

/** A cached page. If it is too old for the request, its site may still confirm it. */
type Copy = FoundPage & { isAccepted: boolean };
type FoundPage = CachedPage & Pick<Page, 'ownContent' | 'missing'>;

async function findCopy(deps: ReadPageDeps, request: PageRequest, making: Making): Promise<Copy | undefined> {
  const { pages, sharing, clock } = deps;
  const { url, teamId, options, lastModified } = request;
  const viewer = sharing.viewerOf(teamId);
  const now = clock.now();
  const age = acceptedAge(options, now, lastModified);
  const variant = pageVariant(options);
  const query = {
    key: pageKey(url, variant),
    viewer,
    // Results have no source, so the page is transformed again if one is needed.
    ...(!sourceNeeds(options) && { transformKey: siteKey(making) }),
    verifiedOnly: !options.skipTlsVerification,
    now,
  };
  // A site can confirm its page, but not a screenshot of it.
  const wanted = cacheOnly(options) || screenshotOf(options) ? age : { from: 0, until: now };
  const found =
    wanted && !bypassesCache(options) ? await findFormats(deps, request, making, { ...query, ...wanted }) : undefined;
  if (found) {
    const isAccepted = age !== undefined && found.header.fetchedAt >= age.from;
    return { ...found, header: headerFor(url, found.header), isAccepted };
  }
  if (!cacheOnly(options)) return undefined;
  throw cacheMiss(options, variant, await pages.variants(normaliseUrl(url), viewer, now), now);
}

/** The page with its screenshot, if one was requested. If only the cache may be read, also without. */
async function findFormats(
  deps: ReadPageDeps,
  request: PageRequest,
  making: Making,
  query: PageQuery,
): Promise<FoundPage | undefined> {
  const { options } = request;
  const find = (wanted: PageQuery) => findMade(deps.pages, making, wanted);
  const uncached = neverCached(options);
  const screenshot = screenshotOf(options);
  if (!screenshot) {
    const found = await find(query);
    return found && { ...found, ownContent: {}, missing: uncached };
  }
  const shown = await find({ ...query, screenshot: screenshotKey(screenshot) });
  const link = shown?.screenshot && (await cachedScreenshot(deps, request, shown.screenshot));
  if (shown && link) return { ...shown, ownContent: { screenshot: link }, missing: uncached };
  const found = cacheOnly(options) ? await find(query) : undefined;
  return found && { ...found, ownContent: {}, missing: [notCached(options), ...uncached] };
}

const screenshotOf = ({ formats }: PageOptions) => formats.find((format) => format.type === 'screenshot');

const cacheOnlyOption = ({ lockdown }: PageOptions) => (lockdown ? 'lockdown' : 'minAge');

function neverCached(options: PageOptions): MissingFormat[] {
  const left = `Leave out \`${cacheOnlyOption(options)}\``;
  return uncachedFormats(options).map((type) => {
    const message = traitsOf(type).isShown
      ? `How a page looks is never cached. ${left} to load the page in a browser.`
      : `Audio and video are never cached. ${left} to fetch them.`;
    return { type, reason: new ServiceError(missCode(options), { message }) };
  });
}

const notCached = (options: PageOptions): MissingFormat => ({
  type: 'screenshot',
  reason: new ServiceError(missCode(options), {
    message: `The cache has the page, but no screenshot of it with these options. Leave out \`${cacheOnlyOption(options)}\` to take one.`,
  }),
});

interface ReadCopy {
  outcome: TransformResult;
  source?: CarriedSource;
  toStore: Exclude<PageToStore, { page: NewPage }>;
  template?: string[] | undefined;
}

/** The copy in the requested formats. */
async function readCopy(
  deps: ReadPageDeps,
  request: PageRequest,
  making: Making,
  copy: Copy,
  signal: AbortSignal,
): Promise<ReadCopy> {
  if ('outcome' in copy) return { outcome: copy.outcome, toStore: { resultId: copy.resultId } };
  const page = { ...copy.header, bytes: copy.bytes };
  const { options, deadline, trace } = request;
  const { options: made, site, programs } = making;
  const wanted = {
    parsers: options.parsers,
    made,
    deadline,
    asker: askerOf(request),
    isIndexed: false,
    site,
    programs,
  };
  const asked = { source: sourceNeeds(options), explains: trace !== undefined };
  const { source, template, ...outcome } = await interpretPage(deps, page, { ...wanted, ...asked }, signal);
  const result = { transformKey: keyOfResult(making, outcome), outcome, now: deps.clock.now() };
  const isKept = mayStore(options) && !outcome.document?.isPartial;
  return { outcome, source, template, toStore: isKept ? { result, pageId: copy.pageId } : { result } };
}

async function readFresh(
  deps: ReadPageDeps,
  request: PageRequest,
  making: Making,
  copy: Copy | undefined,
  signal: AbortSignal,
): Promise<PageWithSource> {
  const { options, lastModified, trace } = request;
  const mayKeep = mayStore(options) && options.storeInCache;
  const validators = copy && validatorsOf(copy.header);
  let copyRead: Promise<ReadCopy> | undefined;
  const known = copy &&
    validators && {
      validators,
      read: async (stop: AbortSignal) => {
        copyRead ??= readCopy(deps, request, making, copy, stop);
        return (await copyRead).outcome;
      },
    };
  const { options: made, site, programs } = making;
  const wanted = { made, isIndexed: mayKeep, needs: sourceNeeds(options), known, site, programs };
  const fetched = await timed(trace, deps.clock, 'fetch', () => fetchPage(deps, request, wanted, signal));
  const { page, outcome, source, texts, ownContent, missing, attempts, template } = fetched;
  const { bytes: _, ...header } = page;
  const now = deps.clock.now();
  const cacheState: Page['cacheState'] = acceptedAge(options, now, lastModified) ? 'miss' : undefined;
  if (copy && copyRead && isConfirmation(page, validators)) {
    const confirmed = confirmedHeader(copy.header, header);
    if (trace?.cache) Object.assign(trace.cache, { state: 'confirmed', reason: CONFIRMED });
    const { toStore, source: copied, template } = await copyRead;
    const mayCheck = mayKeep && confirmed.isVerified === copy.header.isVerified;
    const checked = mayCheck ? { checked: { pageId: copy.pageId, at: page.fetchedAt } } : {};
    const stored = { ...toStore, ...checked };
    const rest = { source: copied, ownContent, missing, template, cacheState, attempts };
    return { header: confirmed, outcome, toStore: stored, ...rest };
  }
  const result = { transformKey: keyOfResult(making, outcome), outcome, now };
  const isKept = mayKeep && !outcome.document?.isPartial && !fetched.isMediaFile;
  const stored = isKept ? cacheable(deps, request, fetched) : undefined;
  const isForAnybody = stored?.owner === SHARED || stored?.owner === EVERYONE;
  const kept = stored && (isForAnybody || !request.isStranger) ? stored : undefined;
  const toStore = kept ? { result, page: kept } : { result };
  if (kept && texts) deps.siteMemories.learn({ url: request.url, owner: kept.owner, teamId: request.teamId, texts });
  return { header, outcome, source, ownContent, missing, template, toStore, cacheState, attempts };
}

function cacheable(
  { sharing }: ReadPageDeps,
  { url, teamId, options }: PageRequest,
  { page, outcome, entry, screenshotFile }: FetchPageResult,
): NewPage {
  const variant = pageVariant(options);
  const screenshot = screenshotOf(options);
  const owned = {
    urls: [url.href, page.finalUrl],
    hasSecretUrls: outcome.discovered.hasSecretUrls === true,
    isManual: page.engine === 'manual',
  };
  return {
    key: pageKey(url, variant),
    owner: sharing.ownerOf(owned, teamId),
    url: normaliseUrl(url),
    variant,
    rank: variantRank(variant, page.isVerified === true),
    fetched: page,
    expiresAt: cacheExpiry(page, outcome.verdict),
    ...(screenshot && screenshotFile && { screenshot: { options: screenshotKey(screenshot), file: screenshotFile } }),
    ...(entry && { entry }),
  };
}

/** A result that does not depend on its site is good whatever is known of that. */
async function findMade(pages: PageStore, making: Making, query: PageQuery): Promise<CachedPage | undefined> {
  const found = await findOrMiss(pages, query);
  const isMade = !found || 'outcome' in found;
  if (isMade || query.transformKey === undefined || query.transformKey === plainKey(making)) return found;
  const plain = await findOrMiss(pages, { ...query, transformKey: plainKey(making) });
  return plain && 'outcome' in plain && !isOfSite(plain.outcome) ? plain : found;
}

/** A damaged copy counts as none: the page is fetched again. */
async function findOrMiss(pages: Pick<PageStore, 'find'>, query: PageQuery): Promise<CachedPage | undefined> {
  return pages.find(query).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'STORAGE_DAMAGED') return undefined;
    throw error;
  });
}
