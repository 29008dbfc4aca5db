// One page from the web: the planned ways are tried, and what a browser captured of it becomes part of its content.
import type { ActionResults, Capture, Captures } from '../contracts/captures.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { FetchedPage, PageOutcome, TransformOptions } from '../contracts/page.ts';
import type { FetchEngine, RenderingEngine } from '../fetch/engine.ts';
import type { Manual } from '../fetch/manual.ts';
import { planAttempts, requiresBrowser } from '../fetch/plan.ts';
import type { RenderedHosts } from '../fetch/rendered-hosts.ts';
import { runAttempts } from '../fetch/run.ts';
import type { Egress } from '../net/egress.ts';
import type { ProfileStore } from '../store/profiles.ts';
import type { Transformer } from '../transform/transformer.ts';
import { continueObject } from '../util/json-text.ts';
import { admitText } from './admit-text.ts';
import { asDataUri, type FileLinks } from './files.ts';
import { leavesTraces, type PageRequest } from './page-request.ts';

export interface FetchPageDeps {
  egress: Egress;
  http: FetchEngine;
  manual: Pick<Manual, 'has' | keyof FetchEngine>;
  browser: RenderingEngine;
  renderedHosts: RenderedHosts;
  fileLinks: Pick<FileLinks, 'keep'>;
  profiles: Pick<ProfileStore, 'read'>;
  transformer: Transformer;
}

export interface FetchedOutcome {
  page: Omit<FetchedPage, 'captures'>;
  outcome: Omit<PageOutcome, 'entry'>;
  /** For the index, when it was asked for. */
  entry?: Uint8Array;
}

const CAPTURES_KEPT_MS = 24 * 3_600_000;

export async function fetchPage(
  deps: FetchPageDeps,
  request: PageRequest,
  made: TransformOptions,
  isIndexed: boolean,
  signal: AbortSignal,
): Promise<FetchedOutcome> {
  const { url, options, deadline, agent, isBusyFinal } = request;
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
      admit: admitText,
    },
    // The transform takes the bytes away to another thread; the cache still wants them (and the slice of a Buffer is no copy).
    ({ captures: _, ...page }, stop) =>
      deps.transformer.transform(
        { page: { ...page, bytes: new Uint8Array(page.bytes) }, options: made, index: isIndexed },
        stop,
      ),
    signal,
  );
  const { entry, ...rest } = outcome;
  const { verdict } = rest;
  if (verdict.kind === 'challenge') throw new ServiceError('SCRAPE_SITE_ERROR', { message: verdict.reason });
  if (after.at(-1) === 'shell' && verdict.kind === 'content' && !verdict.isThin) deps.renderedHosts.add(url.host);
  const { captures, ...page } = whole;
  const content = await withCaptures(rest.content, captures, (capture) => linkOf(deps, request, capture));
  return { page, outcome: { ...rest, content }, entry };
}

/** A scrape only loads what sessions have saved; there may be nothing yet. */
async function loadProfile(
  { profiles }: FetchPageDeps,
  { teamId, options: { profile } }: PageRequest,
): Promise<string | undefined> {
  return profile && teamId !== undefined ? profiles.read(teamId, profile.name) : undefined;
}

/** Where nothing may stay behind, the file itself is given. */
async function linkOf(
  { fileLinks }: FetchPageDeps,
  { options, baseUrl }: PageRequest,
  capture: Capture,
): Promise<string> {
  return leavesTraces(options) ? fileLinks.keep(capture, baseUrl, CAPTURES_KEPT_MS) : asDataUri(capture);
}

type Link = (capture: Capture) => Promise<string>;

async function withCaptures(content: Uint8Array, captures: Captures | undefined, link: Link): Promise<Uint8Array> {
  if (!captures) return content;
  const { screenshot, actions } = captures;
  const more = {
    ...(screenshot && { screenshot: await link(screenshot) }),
    ...(actions && { actions: await actionLinks(actions, link) }),
  };
  return continueObject(content, JSON.stringify(more));
}

async function actionLinks({ screenshots, scrapes, javascriptReturns, pdfs }: ActionResults, link: Link) {
  return {
    ...(screenshots.length > 0 && { screenshots: await Promise.all(screenshots.map(link)) }),
    ...(scrapes.length > 0 && { scrapes }),
    ...(javascriptReturns.length > 0 && { javascriptReturns }),
    ...(pdfs.length > 0 && { pdfs: await Promise.all(pdfs.map(link)) }),
  };
}
