// One page from the web: the planned ways are tried, and what was captured or collected of it becomes part of its content.
import { ServiceError } from '../../contracts/errors.ts';
import type { MediaCandidate } from '../../contracts/media.ts';
import type { FetchedPage, PageHeader, PageOutcome, TransformOptions } from '../../contracts/page.ts';
import type { FetchEngine, RenderingEngine } from '../../fetch/engine.ts';
import type { Manual } from '../../fetch/manual.ts';
import { planAttempts, requiresBrowser } from '../../fetch/plan.ts';
import type { RenderedHosts } from '../../fetch/rendered-hosts.ts';
import { runAttempts } from '../../fetch/run.ts';
import { isMedia } from '../../media/container.ts';
import type { Egress } from '../../net/egress.ts';
import type { ProfileStore } from '../../store/profiles.ts';
import { continueObject } from '../../util/json-text.ts';
import { createAdmission } from './admit-page.ts';
import { type CapturedDeps, capturedContent } from './capture-links.ts';
import { fileName } from './file-name.ts';
import { type InterpretDeps, interpretPage } from './interpret-page.ts';
import { type CollectedMedia, type MediaCollector, mediaFormats } from './media.ts';
import { mayStore, type PageRequest } from './page-request.ts';

export interface FetchPageDeps extends InterpretDeps, CapturedDeps {
  egress: Egress;
  http: FetchEngine;
  manual: Pick<Manual, 'has' | keyof FetchEngine>;
  browser: RenderingEngine;
  renderedHosts: RenderedHosts;
  media: MediaCollector;
  profiles: Pick<ProfileStore, 'read'>;
}

export interface FetchedOutcome {
  page: Omit<FetchedPage, 'captures'>;
  outcome: Omit<PageOutcome, 'entry' | 'media'>;
  /** For the index, when it was asked for. */
  entry?: Uint8Array;
}

export async function fetchPage(
  deps: FetchPageDeps,
  request: PageRequest,
  made: TransformOptions,
  isIndexed: boolean,
  signal: AbortSignal,
): Promise<FetchedOutcome> {
  const { url, options, deadline, budget, agent, isBusyFinal } = request;
  const wantsMedia = mediaFormats(options.formats).length > 0;
  const admitPage = createAdmission(fileName({ headers: {}, finalUrl: url.href }), options);
  let isMediaFile = false;
  const {
    page: whole,
    outcome,
    after,
  } = await runAttempts(
    planAttempts(options, {
      manual: deps.manual.has(url) ? deps.manual : undefined,
      http: deps.http,
      // It may have gone since the request was let in; then it says so itself.
      browser: deps.browser.unavailable() === undefined || requiresBrowser(options) ? deps.browser : undefined,
      hasEnhancedProxy: deps.egress.hasProxy('enhanced'),
      isRendered: deps.renderedHosts.has(url.host),
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
      screenshot: options.formats.find((format) => format.type === 'screenshot'),
      profile: await loadProfile(deps, request),
      deadline,
      agent,
      isBusyFinal,
      admit(contentType, firstBytes) {
        isMediaFile = wantsMedia && isMedia(contentType, firstBytes, url.href);
        // It is fetched in its own way.
        return isMediaFile ? 'enough' : admitPage(contentType, firstBytes);
      },
    },
    // The bytes go away to another thread or process; the cache still wants them (and the slice of a Buffer is no copy).
    ({ captures: _, ...page }, stop) =>
      interpretPage(
        deps,
        { ...page, bytes: new Uint8Array(page.bytes) },
        { parsers: options.parsers, made, deadline, budget, isIndexed, wantsMedia },
        stop,
      ),
    signal,
  );
  const { entry, media = [], ...rest } = outcome;
  const { verdict } = rest;
  if (verdict.kind === 'challenge') throw new ServiceError('SCRAPE_SITE_ERROR', { message: verdict.reason });
  if (after.at(-1) === 'shell' && verdict.kind === 'content' && !verdict.isThin) deps.renderedHosts.add(url.host);
  const { captures, ...page } = whole;
  const candidates = isMediaFile ? [{ url: page.finalUrl, source: 'file' as const }] : media;
  const more = {
    ...(captures && (await capturedContent(deps, request, captures))),
    ...(wantsMedia && (await collectMedia(deps, request, page, candidates, signal))),
  };
  const content = Object.keys(more).length > 0 ? continueObject(rest.content, JSON.stringify(more)) : rest.content;
  return { page, outcome: { ...rest, content }, entry };
}

const collectMedia = (
  { media }: FetchPageDeps,
  { options, baseUrl }: PageRequest,
  { finalUrl, proxyClass }: PageHeader,
  candidates: readonly MediaCandidate[],
  signal: AbortSignal,
): Promise<CollectedMedia> =>
  media.collect(
    {
      formats: mediaFormats(options.formats),
      page: { finalUrl, candidates },
      request: {
        proxyClass,
        location: options.location,
        mobile: options.mobile,
        verifyTls: !options.skipTlsVerification,
        headers: options.headers,
        isTraceless: !mayStore(options),
      },
      baseUrl,
    },
    signal,
  );

/** A scrape only loads what sessions have saved; there may be nothing yet. */
async function loadProfile(
  { profiles }: FetchPageDeps,
  { teamId, options: { profile } }: PageRequest,
): Promise<string | undefined> {
  return profile && teamId !== undefined ? profiles.read(teamId, profile.name) : undefined;
}
