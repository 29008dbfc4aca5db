// One visit to a page, from its address to what is brought home: open, go, wait, act, look, read.
import type { Page } from 'playwright-core';
import type { Captures } from '../../../contracts/captures.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import type { FetchedPage } from '../../../contracts/page.ts';
import type { BrowserPass } from '../../../net/browser-proxy/browser-proxy.ts';
import { raceAbort } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import type { FetchRequest } from '../../engine.ts';
import { runActions } from '../actions/actions.ts';
import { BrowserFault, navigationError, pageError } from '../browser-failure.ts';
import { removeBanners } from './banners.ts';
import { createBlocker } from './blocker.ts';
import { takeScreenshot } from './capture.ts';
import type { OpenedPage } from './context.ts';
import { type Interception, intercept } from './intercept.ts';
import { loadLazyContent, watchScripts } from './lazy-content.ts';
import type { MainResponse } from './main-response.ts';
import { readHtml } from './read-html.ts';
import { settle } from './settle.ts';
import { type Traffic, watchTraffic } from './traffic.ts';

export type LoadedPage = Pick<FetchedPage, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes' | 'captures'>;

export interface PageLoad {
  opened: OpenedPage;
  request: FetchRequest;
  pass: BrowserPass;
  clock: Clock;
  maxPageBytes: number;
  /** Aborts with the caller's reason, or with a BrowserFault when the page or its browser dies. */
  signal: AbortSignal;
}

// To read the page, and to make something of it.
const RESERVE_MS = 1_500;
// A page that answers no question for so long is caught in its own script.
const HANG_MS = 6_000;
const PICTURE_MS = 15_000;
const RENDERED = 'text/html; charset=utf-8';

export async function loadPage(what: PageLoad): Promise<LoadedPage> {
  const { opened, request, pass, clock, maxPageBytes, signal } = what;
  const { page, session } = opened;
  const blocker = request.blockAds ? createBlocker(request.url) : undefined;
  const traffic = watchTraffic(page, clock);
  const preparing = Promise.all([
    intercept({ session, request, pass, blocker, maxBytes: maxPageBytes }),
    // Whoever sends actions says himself where to scroll to.
    request.actions.length === 0 && watchScripts(page),
  ]);
  const [interception] = await raceAbort(preparing, signal);
  const file = await goTo(what, interception);
  if (file) return file;

  const captures = await work(what, traffic);
  const last = interception.mainResponse();
  // A script may have led on to a file.
  if (last?.bytes) return { ...fileOf(last), captures };
  const html = await answered(readHtml(page, maxPageBytes), what);
  const bytes = Buffer.from(html);
  if (bytes.length > maxPageBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  const finalUrl = /^https?:/.test(page.url()) ? page.url() : (last?.url ?? request.url.href);
  const headers = { ...last?.headers, 'content-type': RENDERED };
  return { finalUrl, status: last?.status ?? 200, headers, contentType: RENDERED, bytes, captures };
}

/** Gives what was found if it is no page that could be shown: a file, or an answer without a body. */
async function goTo(
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
    const document = interception.mainResponse();
    if (document?.bytes) return fileOf(document);
    if (document && isBodiless(document, String(error))) return fileOf({ ...document, bytes: new Uint8Array() });
    const refusal = pass.problem(interception.target());
    if (refusal) throw refusal;
    // Nobody broke it off but the process that was to show it.
    if (/ERR_ABORTED/.test(String(error))) throw new BrowserFault('The page was lost on its way.');
    throw navigationError(error);
  }
  return undefined;
}

async function work(what: PageLoad, traffic: Traffic): Promise<Captures | undefined> {
  const { opened, request, clock, signal } = what;
  const { page } = opened;
  const deadline = request.deadline - RESERVE_MS;
  const quiet = () => settle(page, { signal, deadline, clock, traffic });
  await quiet();
  if (request.waitFor > 0) await clock.sleep(Math.min(request.waitFor, Math.max(0, deadline - clock.now())), signal);
  if (request.blockAds) await answered(steady(page, removeBanners), what);
  if (request.actions.length === 0) {
    const msLeft = deadline - clock.now();
    const load = () => loadLazyContent(page, msLeft, request.screenshot !== undefined);
    const mayHaveMore = msLeft > 0 && (await answered(steady(page, load), what));
    if (mayHaveMore) await quiet();
  }
  const captures: Captures = {};
  if (request.actions.length > 0) {
    const limits = { signal, deadline: request.deadline, now: () => clock.now(), settle: quiet };
    captures.actions = await raceAbort(runActions(page, request.actions, limits), signal);
  }
  if (request.screenshot)
    captures.screenshot = await answered(takeScreenshot(page, request.screenshot), what, PICTURE_MS);
  return captures.actions || captures.screenshot ? captures : undefined;
}

/** A page may make way for another just when it is asked; then that one is asked. */
async function steady<T>(page: Page, ask: (page: Page) => Promise<T>): Promise<T> {
  try {
    return await ask(page);
  } catch (error) {
    if (!/context was destroyed|navigat/i.test(String(error))) throw error;
    await page.waitForLoadState('domcontentloaded', { timeout: HANG_MS }).catch(() => {});
    return ask(page);
  }
}

/** What a page says, within a time in which every page that is not stuck says something. */
async function answered<T>(answer: Promise<T>, { clock, signal }: PageLoad, withinMs = HANG_MS): Promise<T> {
  const done = new AbortController();
  const stuck = clock.sleep(withinMs, AbortSignal.any([signal, done.signal])).then(() => {
    throw new BrowserFault('The page does not answer.');
  });
  try {
    return await Promise.race([answer, stuck]);
  } catch (error) {
    signal.throwIfAborted();
    throw pageError(error);
  } finally {
    done.abort();
    stuck.catch(() => {});
    answer.catch(() => {});
  }
}

/** Chromium stays where it is after an answer that has no body by nature, and shows a page of its own in place of an error without one. */
const isBodiless = ({ status }: MainResponse, error: string): boolean =>
  /ERR_HTTP_RESPONSE_CODE_FAILURE/.test(error) || ([204, 205].includes(status) && /ERR_ABORTED/.test(error));

const fileOf = ({ url, status, headers, bytes = new Uint8Array() }: MainResponse): LoadedPage => ({
  finalUrl: url,
  status,
  headers,
  contentType: headers['content-type'] ?? '',
  bytes,
});
