// Fetches one page from the web: runs the planned attempts, then collects the formats that the bytes do not contain.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { FormatType } from '../../contracts/formats/format-traits.ts';
import { passOn } from '../../contracts/scrape/option-traits.ts';
import type { ArchivedAnswers } from '../../fetch/archive/archived-answers.ts';
import type { FetchEngine, RenderingEngine, Validators } from '../../fetch/engine.ts';
import { exportAddress } from '../../fetch/export-address.ts';
import { createExportEngine } from '../../fetch/export-engine.ts';
import type { Manual } from '../../fetch/manual.ts';
import { type Attempt, firstReason, planAttempts, requiresBrowser } from '../../fetch/plan.ts';
import type { RenderedHosts } from '../../fetch/rendered-hosts.ts';
import { runAttempts } from '../../fetch/run.ts';
import { isMedia } from '../../markup/media-container.ts';
import type { Egress } from '../../net/egress.ts';
import type { MediaCandidate } from '../../page/media.ts';
import type { AttemptRecord, Fetched, PageHeader, TransformOptions, TransformResult } from '../../page/page.ts';
import type { SitePrograms } from '../../page/selector-programs.ts';
import type { PageSite } from '../../page/site-memory.ts';
import type { CarriedSource, SourceNeeds } from '../../page/understanding.ts';
import type { ArchiveStore } from '../../store/ports/files/archive-store.ts';
import type { ProfileStore } from '../../store/ports/files/profile-store.ts';
import type { Clock } from '../../util/clock.ts';
import { type ArchiveSourceDeps, openSource } from './archive/open-source.ts';
import { attemptsNote } from './attempts.ts';
import { isConfirmation } from './cache/revalidate.ts';
import { type CaptureDeps, capturedContent } from './capture-links.ts';
import { changeTrackingOf } from './changes/history-keys.ts';
import { type InterpretDeps, interpretPage } from './interpret-page.ts';
import { type CollectedMedia, type MediaCollector, mediaFormats } from './media.ts';
import { type MissingFormat, requireOneFormat } from './missing-formats.ts';
import { createAdmission, fileName } from './page-file.ts';
import { askerOf, mayStore, type PageOptions, type PageRequest } from './page-request.ts';

export interface FetchPageDeps extends InterpretDeps, CaptureDeps, ArchiveSourceDeps {
  archives: ArchiveStore;
  /** The engine without scripts, over an archive. */
  archivedHttp(answers: ArchivedAnswers): FetchEngine;
  egress: Egress;
  http: FetchEngine;
  chromeHttp: FetchEngine;
  manual: Pick<Manual, 'has' | keyof FetchEngine>;
  browser: RenderingEngine;
  /** The browser that looks most like a person's; may be the same one. */
  enhancedBrowser: FetchEngine;
  renderedHosts: RenderedHosts;
  media: MediaCollector;
  profiles: Pick<ProfileStore, 'read'>;
  clock: Pick<Clock, 'now'>;
}

export interface FetchPageResult {
  page: Omit<Fetched, 'captures'>;
  outcome: Omit<TransformResult, 'entry' | 'texts' | 'template' | 'media' | 'source'>;
  source?: CarriedSource;
  /** The index entry, if requested. */
  entry?: Uint8Array;
  texts?: Uint32Array;
  template?: string[];
  /** Links to captures and media, which belong to this request alone. */
  ownContent: object;
  missing: MissingFormat[];
  /** The id of the screenshot's file, if it was stored. */
  screenshotFile?: string;
  /** The bytes of a media file are not downloaded here, so there is no page to store. */
  isMediaFile: boolean;
  attempts: AttemptRecord[];
}

export interface PageNeeds {
  made: TransformOptions;
  isIndexed: boolean;
  /** What formats need that are made from the outcome. */
  needs?: SourceNeeds;
  /** A copy of the page, which the site may confirm. Then `read` gives the outcome. */
  known?: { validators: Validators; read(signal: AbortSignal): Promise<TransformResult> };
  site?: PageSite | undefined;
  programs?: SitePrograms | undefined;
}

/** How long a rendered page is given to come to rest before its changes are looked for. */
const TRACKING_WAIT_MS = 5_000;

/** Only a browser waits: tracking changes does not make a page need one. */
function waitInBrowser(options: PageOptions): number {
  if (!changeTrackingOf(options)) return options.waitFor;
  return Math.max(options.waitFor, Math.min(TRACKING_WAIT_MS, options.timeout / 2));
}

export async function fetchPage(
  deps: FetchPageDeps,
  request: PageRequest,
  { made, isIndexed, needs, known, site, programs }: PageNeeds,
  signal: AbortSignal,
): Promise<FetchPageResult> {
  const { url, options, deadline, agent, isBusyFinal, threatCheck, trace } = request;
  const asker = askerOf(request);
  const wantsMedia = mediaFormats(options.formats).length > 0;
  const admitPage = createAdmission(fileName({ headers: {}, finalUrl: url.href }), options);
  let isMediaFile = false;
  const answers = options.source && (await openSource(deps, request.teamId, options.source.archive));
  const {
    page: whole,
    outcome,
    after,
    attempts,
    failure,
  } = await runAttempts(
    plan(deps, request, answers),
    {
      url,
      asker,
      headers: request.headers,
      ...passOn('fetch', options),
      waitFor: waitInBrowser(options),
      verifyTls: !options.skipTlsVerification,
      screenshot: options.formats.find((format) => format.type === 'screenshot'),
      styles: wants(options, 'branding'),
      profile: await loadProfile(deps, request),
      deadline,
      agent,
      isBusyFinal,
      validators: known?.validators,
      threatCheck,
      ...(request.recorder && { recorder: request.recorder }),
      ...(answers && { answers }),
      admit(contentType, firstBytes) {
        isMediaFile = wantsMedia && isMedia(contentType, firstBytes, url.href);
        // Media files are downloaded separately, so the first bytes are enough here.
        return isMediaFile ? 'enough' : admitPage(contentType, firstBytes);
      },
    },
    {
      interpret: ({ captures: _, ...page }, stop) => {
        if (known && isConfirmation(page, known.validators)) return known.read(stop);
        const wanted = isMediaFile ? { made: { ...made, formats: [] }, isIndexed: false } : { made, isIndexed };
        const rest = { parsers: options.parsers, deadline, asker, wantsMedia, source: needs, site, programs };
        return interpretPage(deps, page, { ...wanted, ...rest, explains: trace !== undefined }, stop);
      },
      now: deps.clock.now,
      signal,
      trace,
    },
  );
  const { entry, texts, template, media = [], source, ...rest } = outcome;
  const { verdict } = rest;
  if (verdict.kind === 'challenge') {
    const message = [verdict.reason, attemptsNote(attempts)].filter(Boolean).join(' ');
    throw new ServiceError('SCRAPE_SITE_ERROR', { message });
  }
  if (after.at(-1) === 'shell' && verdict.kind === 'content' && !verdict.isThin) deps.renderedHosts.add(url.host);
  const { captures = {}, ...page } = whole;
  const captured = await capturedContent(deps, request, captures);
  const candidates = isMediaFile ? [{ url: page.finalUrl, source: 'file' as const }] : media;
  const collected = wantsMedia ? await collectMedia(deps, request, page, candidates, signal) : undefined;
  const missing = [
    ...(isMediaFile ? textFormats(options.formats, made) : []),
    ...(wants(options, 'screenshot') && !captures.screenshot ? [missingScreenshot(page, failure)] : []),
    ...(wants(options, 'branding') && !captures.styles ? [missingBranding(page, failure)] : []),
    ...(collected?.missing ?? []),
  ];
  requireOneFormat(options.formats, missing);
  return {
    page,
    outcome: rest,
    ...(source && { source: { ...source, ...(captures.styles && { styles: captures.styles }) } }),
    entry,
    texts,
    template,
    ownContent: { ...captured.content, ...collected?.content },
    missing,
    screenshotFile: captured.screenshotFile,
    isMediaFile,
    attempts,
  };
}

function plan(deps: FetchPageDeps, request: PageRequest, answers: ArchivedAnswers | undefined): Attempt[] {
  const { url, options, trace } = request;
  const isExported = exportAddress(url) !== undefined;
  const { http, chromeHttp } = answers ? archiveEngines(deps, answers) : deps;
  const engines = {
    manual: !answers && deps.manual.has(url) ? deps.manual : undefined,
    http: isExported ? createExportEngine(http) : http,
    chromeHttp: isExported ? createExportEngine(chromeHttp) : chromeHttp,
    ...(mayRender(deps, request) && { browser: deps.browser, enhancedBrowser: deps.enhancedBrowser }),
    hasEnhancedProxy: !answers && deps.egress.hasProxy('enhanced'),
    isRendered: deps.renderedHosts.has(url.host),
    isBusyFinal: request.isBusyFinal === true,
  };
  const attempts = planAttempts(options, engines);
  if (trace) trace.plan = { reason: firstReason(options, engines), attempts };
  return attempts;
}

/** The same engines, and another way out. To an archive, all clients look alike. */
function archiveEngines({ archivedHttp }: FetchPageDeps, answers: ArchivedAnswers) {
  const http = archivedHttp(answers);
  return { http, chromeHttp: http };
}

const wants = ({ formats }: PageRequest['options'], wanted: FormatType): boolean =>
  formats.some(({ type }) => type === wanted);

function textFormats(requested: PageRequest['options']['formats'], { formats }: TransformOptions): MissingFormat[] {
  const reason = new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: 'The URL leads to an audio or video file, which has no text. Request only `audio` or `video`.',
  });
  const made = new Set<string>(formats);
  return requested.filter(({ type }) => made.has(type)).map(({ type }) => ({ type, reason }));
}

function missingScreenshot({ engine, contentType }: PageHeader, failure: ServiceError | undefined): MissingFormat {
  const noPage = new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The URL leads to a file (${contentType || 'of unknown type'}), and only web pages can be shown in a browser. Request \`markdown\` to read it.`,
  });
  const noBrowser = new ServiceError('SCRAPE_ALL_ENGINES_FAILED', {
    message: 'The page was read without a browser, and a screenshot needs one. Try again later.',
  });
  return { type: 'screenshot', reason: engine === 'browser' ? noPage : (failure ?? noBrowser) };
}

function missingBranding(page: PageHeader, failure: ServiceError | undefined): MissingFormat {
  const { engine, contentType } = page;
  const isPage = /html|^$/.test(contentType);
  const message = !isPage
    ? `The URL leads to a file (${contentType}), and only web pages have a branding.`
    : engine === 'browser'
      ? 'The page could not be measured: it is too large or too busy.'
      : `The page was read without a browser, and branding needs one. ${failure?.message ?? 'Try again later.'}`;
  return { type: 'branding', reason: new ServiceError('SCRAPE_BRANDING_NOT_SUPPORTED', { message }) };
}

/** The browser may have become unavailable since the request was accepted; its own error then says so. */
const mayRender = ({ browser }: FetchPageDeps, { url, options }: PageRequest): boolean =>
  requiresBrowser(options) || (browser.unavailable() === undefined && exportAddress(url) === undefined);

const collectMedia = (
  { media }: FetchPageDeps,
  request: PageRequest,
  { finalUrl, proxyClass }: PageHeader,
  candidates: readonly MediaCandidate[],
  signal: AbortSignal,
): Promise<CollectedMedia> => {
  const { options, headers, baseUrl, threatCheck } = request;
  return media.collect(
    {
      asker: askerOf(request),
      ...(threatCheck && { threatCheck }),
      formats: mediaFormats(options.formats),
      page: { finalUrl, candidates },
      request: {
        proxyClass,
        location: options.location,
        mobile: options.mobile,
        verifyTls: !options.skipTlsVerification,
        headers,
        isTraceless: !mayStore(options),
      },
      baseUrl,
    },
    signal,
  );
};

/** Scrapes only load profiles; sessions save them. There may be nothing to load yet. */
async function loadProfile(
  { profiles }: FetchPageDeps,
  { teamId, options: { profile } }: PageRequest,
): Promise<string | undefined> {
  return profile && teamId !== undefined ? profiles.read(teamId, profile.name) : undefined;
}
