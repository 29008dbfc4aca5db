// Loads one page in the browser, step by step: navigate, settle, run actions, take captures, read the HTML.
import type { Page } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { BrowserStep } from '../../../contracts/scrape/explanation.ts';
import type { BrowserPass } from '../../../net/browser-proxy/browser-proxy.ts';
import { oncePerHost } from '../../../net/checked-requests.ts';
import type { Captures } from '../../../page/captures.ts';
import type { Fetched } from '../../../page/page.ts';
import { raceAbort, raceTimeout } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import { lazy } from '../../../util/lazy.ts';
import type { FetchRequest } from '../../engine.ts';
import { browserWork, noteStep } from '../../explain/attempt-notes.ts';
import { runActions } from '../actions/actions.ts';
import { BrowserFault, navigationError, pageError } from '../browser-failure.ts';
import { recordTraffic } from './archive/record-traffic.ts';
import { removeBanners } from './banners.ts';
import { createBlocker } from './blocker.ts';
import { takeScreenshot } from './capture.ts';
import type { OpenedPage } from './context.ts';
import { type Interception, intercept } from './intercept.ts';
import { loadLazyContent, watchScripts } from './lazy-content.ts';
import { isCutByDecoding, type MainResponse } from './main-response.ts';
import { readHtml } from './read-html.ts';
import { settle } from './settle.ts';
import { readStyles } from './styles/read-styles.ts';
import { type Traffic, watchTraffic } from './traffic.ts';

export type LoadedPage = Pick<Fetched, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes' | 'captures'>;

interface PageLoad {
  opened: OpenedPage;
  request: FetchRequest;
  pass: BrowserPass;
  clock: Clock;
  maxPageBytes: number;
  /** Aborts with the caller's reason, or with a BrowserFault when the page or its browser dies. */
  signal: AbortSignal;
}

// Kept back from the deadline for reading and processing the page.
const RESERVE_MS = 1_500;
// A page that does not respond for this long is stuck in its own script.
const HANG_MS = 6_000;
const SCREENSHOT_MS = 15_000;
// Layouts can be slow. A page whose styles take longer is returned without them.
const STYLES_MS = 6_000;
const CUT =
  'The page is compressed in parts of which a browser decodes only the first. Read it without a browser (`fastMode: true`).';
const RENDERED = 'text/html; charset=utf-8';

export async function loadPage(load: PageLoad): Promise<LoadedPage> {
  const { opened, request, pass, clock, maxPageBytes, signal } = load;
  const { page, session, frameId: mainFrame } = opened;
  const blocker = request.blockAds ? createBlocker(request.url) : undefined;
  const traffic = watchTraffic(page, clock);
  const work = request.notes && browserWork(request.notes);
  if (work) page.on('request', () => (work.requests += 1));
  const preparing = Promise.all([
    intercept({ session, mainFrame, request, pass, blocker, maxBytes: maxPageBytes }),
    // Requests with `actions` control scrolling themselves.
    request.actions.length === 0 && watchScripts(page),
  ]);
  const [interception] = await raceAbort(preparing, signal);
  const recorded = request.recorder && recordTraffic(page, request.recorder);
  const file = await step(load, 'navigate', () => navigate(load, interception));
  if (file) return file;

  const captures = await processPage(load, traffic);
  const last = interception.mainResponse();
  // A script may have navigated to a file.
  if (last?.bytes) return { ...fileOf(last), captures };
  if (await responsive(isCutByDecoding(opened.session, last), load)) {
    throw new ServiceError('SCRAPE_PAGE_TOO_LARGE', { message: CUT });
  }
  await recorded?.();
  const html = await step(load, 'read', () => responsive(readHtml(page, maxPageBytes), load));
  const bytes = Buffer.from(html);
  if (bytes.length > maxPageBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  const finalUrl = /^https?:/.test(page.url()) ? page.url() : (last?.url ?? request.url.href);
  const headers = { ...last?.headers, 'content-type': RENDERED };
  return {
    finalUrl,
    status: last?.status ?? 200,
    headers,
    contentType: RENDERED,
    bytes,
    captures,
  };
}

/** Returns the response if it is not a page that can be shown: a file, or a response without a body. */
async function navigate(
  { opened, request, pass, signal }: PageLoad,
  interception: Interception,
): Promise<LoadedPage | undefined> {
  const { page } = opened;
  try {
    await raceAbort(page.goto(request.url.href, { waitUntil: 'commit', timeout: 0 }), signal);
  } catch (error) {
    signal.throwIfAborted();
    const problem = interception.problem();
    if (problem instanceof ServiceError) throw problem;
    const response = interception.mainResponse();
    if (response?.bytes) return fileOf(response);
    if (response && isBodiless(response, String(error))) return fileOf({ ...response, bytes: new Uint8Array() });
    const refusal = pass.problem(interception.target());
    if (refusal) throw refusal;
    // Nothing else aborts a navigation: the process that was to show the page died.
    if (/ERR_ABORTED/.test(String(error))) throw new BrowserFault('The page was lost while it loaded.');
    throw navigationError(error);
  }
  return undefined;
}

/** Everything between the navigation and reading the HTML. */
async function processPage(load: PageLoad, traffic: Traffic): Promise<Captures | undefined> {
  const { opened, request, clock, signal } = load;
  const { page } = opened;
  const deadline = request.deadline - RESERVE_MS;
  const settlePage = () => step(load, 'settle', () => settle(page, { signal, deadline, clock, traffic }));
  await settlePage();
  if (request.waitFor > 0) {
    const ms = Math.min(request.waitFor, Math.max(0, deadline - clock.now()));
    await step(load, 'wait', () => clock.sleep(ms, signal));
  }
  if (request.blockAds) await step(load, 'banners', () => responsive(retryOnNavigation(page, removeBanners), load));
  if (request.actions.length === 0) {
    const msLeft = deadline - clock.now();
    const loadLazy = () => loadLazyContent(page, msLeft, request.screenshot !== undefined);
    const scroll = () => responsive(retryOnNavigation(page, loadLazy), load);
    const mayHaveMore = msLeft > 0 && (await step(load, 'scroll', scroll));
    if (mayHaveMore) await settlePage();
  }
  const captures: Captures = {};
  if (request.actions.length > 0) {
    const limits = {
      ...{ signal, deadline: request.deadline, now: () => clock.now(), settle: settlePage },
      ...(request.threatCheck && { beforeScript: keepToHosts(load, request.threatCheck) }),
    };
    const run = () => raceAbort(runActions(page, request.actions, limits), signal);
    captures.actions = await step(load, 'actions', run);
  }
  const { screenshot } = request;
  if (screenshot) {
    const take = () => responsive(takeScreenshot(page, screenshot), load, SCREENSHOT_MS);
    captures.screenshot = await step(load, 'screenshot', take);
  }
  if (request.styles) captures.styles = await step(load, 'styles', () => measuredStyles(load));
  return Object.keys(captures).length > 0 ? captures : undefined;
}

/** The caller is responsible only for requests after an own script has run, not for what the page loads by itself. */
const keepToHosts = ({ pass, signal }: PageLoad, { checkHost }: NonNullable<FetchRequest['threatCheck']>) =>
  lazy(() => pass.restrict(oncePerHost(checkHost), signal));

const step = <T>({ request, clock }: PageLoad, name: BrowserStep, work: () => Promise<T>): Promise<T> =>
  noteStep(request.notes, clock.now, name, work);

/** Undefined if the page cannot be measured, or not in time: everything else of it can still be read. */
const measuredStyles = ({ opened, clock, signal }: PageLoad) =>
  raceTimeout(
    retryOnNavigation(opened.page, readStyles).catch(() => undefined),
    STYLES_MS,
    () => undefined,
    { clock, signal },
  );

/** The page may navigate while `run` is under way; then it runs again in the new document. */
async function retryOnNavigation<T>(page: Page, run: (page: Page) => Promise<T>): Promise<T> {
  try {
    return await run(page);
  } catch (error) {
    if (!/context was destroyed|navigat/i.test(String(error))) throw error;
    await page.waitForLoadState('domcontentloaded', { timeout: HANG_MS }).catch(() => {});
    return run(page);
  }
}

/** Waits for a result from the page, but only as long as a page that is not stuck needs. */
async function responsive<T>(result: Promise<T>, { clock, signal }: PageLoad, withinMs = HANG_MS): Promise<T> {
  const onLate = () => {
    throw new BrowserFault('The page does not respond.');
  };
  try {
    return await raceTimeout(result, withinMs, onLate, { clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw pageError(error);
  }
}

/** Chromium does not navigate on 204 and 205, and shows its own error page for an error status without a body. */
const isBodiless = ({ status }: MainResponse, error: string): boolean =>
  /ERR_HTTP_RESPONSE_CODE_FAILURE/.test(error) || ([204, 205].includes(status) && /ERR_ABORTED/.test(error));

const fileOf = ({ url, status, headers, bytes = new Uint8Array() }: MainResponse): LoadedPage => ({
  finalUrl: url,
  status,
  headers,
  contentType: headers['content-type'] ?? '',
  bytes,
});
