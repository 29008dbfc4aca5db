// The rendering engine: loads pages in a browser. Nothing of it is loaded or started before the first page needs it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { tooLarge } from '../../net/browser-proxy/passes.ts';
import type { Egress } from '../../net/egress.ts';
import type { Fetched } from '../../page/page.ts';
import type { Log } from '../../runtime/log.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { archiveMiss } from '../archive/archived-answers.ts';
import type { FetchEngine, FetchRequest } from '../engine.ts';
import { addStep } from '../explain/attempt-notes.ts';
import { BrowserFault, pageError, repeatedFault } from './browser-failure.ts';
import { type CreateDocumentGuard, guardPage } from './guard-page.ts';
import { openPage } from './page/context.ts';
import type { LoadedPage } from './page/load-page.ts';
import {
  type BrowserPool,
  createBrowserPool,
  type Lease,
  type PageEnd,
  type PoolLimits,
  type PoolProcess,
} from './process/browser-pool.ts';
import { launchBrowser, type RunningBrowser } from './process/launch.ts';
import type { MemoryWatch } from './process/memory/memory-watch.ts';

export interface BrowserEngine extends FetchEngine {
  /** Undefined while there is a browser; else one sentence why not. */
  unavailable(): string | undefined;
  /** What is running now. */
  open(): { browsers: number; pages: number };
  processes(): PoolProcess[];
  /** For the operator: kills a browser, and its pages are loaded again in another one. Undefined if it does not run. */
  endProcess(id: string): PoolProcess | undefined;
  close(): Promise<void>;
}

export interface BrowserEngineDeps {
  egress: Egress;
  clock: Clock;
  log: Log;
  memory: MemoryWatch;
  createDocumentGuard: CreateDocumentGuard;
  /** Undefined where there is no browser; `problem` says why. */
  executable: string | undefined;
  /** Whether pages run in Chromium's own sandbox. */
  sandbox: boolean;
  problem?: string;
  /** The operator's own User-Agent, as for plain requests. */
  userAgent?: string;
  maxPages?: number;
  maxPageBytes?: number;
  limits?: Partial<PoolLimits>;
}

interface LoadDeps extends BrowserEngineDeps {
  pool: BrowserPool;
  maxPageBytes: number;
  /** Whether the page is loaded in a browser of its own. */
  isAlone: boolean;
}

interface LoadOutcome {
  loaded: LoadedPage;
  /** Whether a certificate was invalid: that of the page, or of something that it loaded or wanted to load. */
  metInvalid: boolean;
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_LIMITS: PoolLimits = { maxPages: 4, pagesEach: 100, maxBytes: 1500 * MEGABYTE, idleMs: 60_000 };
const MAX_PAGE_BYTES = 50 * MEGABYTE;
/** Traffic allowance in page sizes: a page also loads images, scripts and videos that start by themselves. */
const TRAFFIC_PER_PAGE = 4;
const TRIES = 2;
const OPEN_MS = 15_000;
const CLOSE_MS = 5_000;
/** After a failed start, no other start is attempted for this long. */
const RECOVERY_MS = 60_000;

export function createBrowserEngine(deps: BrowserEngineDeps): BrowserEngine {
  const { clock, log, maxPageBytes = MAX_PAGE_BYTES } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits, ...(deps.maxPages && { maxPages: deps.maxPages }) };
  const launcher = createLauncher(deps);
  const pool = createBrowserPool({ launch: launcher.launch, clock, log, limits });

  return {
    name: 'browser',
    unavailable: launcher.unavailable,
    async fetch(request, signal) {
      if (launcher.unavailable() !== undefined) throw launcher.noBrowser();
      let isAlone = false;
      for (let tries = 1; ; ) {
        try {
          const loaded = await loadVerified({ ...deps, pool, maxPageBytes, isAlone }, request, signal);
          const { url, proxyClass } = request;
          return { ...loaded, requestedUrl: url.href, fetchedAt: clock.now(), engine: 'browser', proxyClass };
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof BrowserFault)) throw error;
          log.warn({ fault: error.message, tries }, 'page lost with its browser');
          if (error.isOperators) continue;
          if (tries === TRIES) throw repeatedFault(error);
          tries += 1;
          isAlone = error.isSuspect;
        }
      }
    },
    open: () => ({ browsers: pool.browsers, pages: pool.pages }),
    processes: pool.list,
    endProcess: pool.end,
    close: () => pool.close(),
  };
}

/** Starts browsers, and pauses after one that did not start. */
function createLauncher({ egress, clock, log, memory, executable, sandbox, problem }: BrowserEngineDeps) {
  let failedUntil = 0;

  const unavailable = (): string | undefined => {
    if (executable === undefined) return problem ?? 'There is no browser on this machine.';
    return clock.now() < failedUntil ? 'The browser of this machine does not start.' : undefined;
  };
  const noBrowser = (cause?: unknown): ServiceError =>
    new ServiceError('SCRAPE_ALL_ENGINES_FAILED', {
      message: `This needs a browser. ${unavailable() ?? ''}`.trim(),
      cause,
    });

  return {
    unavailable,
    noBrowser,
    async launch(): Promise<RunningBrowser> {
      const { url } = await egress.openBrowserProxy();
      try {
        return await launchBrowser({ executable: executable!, sandbox, memory, proxyUrl: url });
      } catch (error) {
        failedUntil = clock.now() + RECOVERY_MS;
        log.error({ error: String(error) }, 'browser does not start');
        throw noBrowser(error);
      }
    },
  };
}

/** Says whether all certificates were valid. Invalid ones are accepted only in a second load, except with actions. */
async function loadVerified(
  deps: LoadDeps,
  request: FetchRequest,
  signal: AbortSignal,
): Promise<LoadedPage & Pick<Fetched, 'isVerified'>> {
  const hasActions = request.actions.length > 0;
  // Actions may change things on the site, so a page with actions is not loaded twice.
  if (request.verifyTls || !hasActions) {
    try {
      const { loaded, metInvalid } = await loadOnce(deps, { ...request, verifyTls: true }, signal);
      if (request.verifyTls || !metInvalid) return { ...loaded, isVerified: true };
    } catch (error) {
      signal.throwIfAborted();
      if (request.verifyTls || !(error instanceof ServiceError) || error.code !== 'SCRAPE_SSL_ERROR') throw error;
    }
  }
  const { loaded, metInvalid } = await loadOnce(deps, { ...request, verifyTls: false }, signal);
  return { ...loaded, ...(hasActions && !metInvalid && { isVerified: true }) };
}

/** Throws BrowserFault if the page or its browser dies: then another browser is worth a try. */
async function loadOnce(deps: LoadDeps, asked: FetchRequest, caller: AbortSignal): Promise<LoadOutcome> {
  const { egress, clock, pool, userAgent, maxPageBytes, isAlone } = deps;
  const proxy = await egress.openBrowserProxy();
  const { asker, threatCheck } = asked;
  // A guard sees the documents of a whole browser and cannot tell whose they are.
  const wish = { asker, kind: kindOfWork(asked), isAlone: isAlone || threatCheck !== undefined };
  const lease = await pool.take(wish, caller);
  const { running, waitedMs } = lease;
  addStep(asked.notes, 'slot', waitedMs);
  const request = asker.pausable ? { ...asked, deadline: asked.deadline + waitedMs } : asked;
  const died = new AbortController();
  const die = (message: string) => died.abort(new BrowserFault(message));
  running.ended.then(() => die('The browser ended.'));
  const late = setTimeout(() => die('The browser opens no page.'), OPEN_MS);
  const signal = AbortSignal.any([caller, died.signal]);
  const { proxyClass, location } = request;
  const maxBytes = maxPageBytes * TRAFFIC_PER_PAGE;
  const pass = proxy.issuePass({ proxyClass, country: location.country, maxBytes, recorder: request.recorder });
  // The page gets everything from the archive; whatever it asks for elsewhere goes nowhere.
  if (request.answers) await pass.restrict(async (url) => Promise.reject(archiveMiss(url)), caller);
  let mainFrame: string | undefined;
  const guard = threatCheck && {
    ...{ browser: running.browser, threatCheck, signal },
    mainFrame: () => mainFrame,
    onRefused: (error: unknown) => died.abort(error),
  };
  const guarding = guard && guardPage(deps.createDocumentGuard, guard);
  const opening = openPage(running.browser, request, proxy, userAgent);
  guarding?.catch(() => {});
  let outcome: PageEnd = 'failed';
  let endCount = () => {};
  try {
    const opened = await raceAbort(opening, signal);
    mainFrame = opened.frameId;
    if (guarding) await raceAbort(guarding, signal);
    endCount = running.traffic.watch(opened.contextId, (bytes) => bytes > maxBytes && died.abort(tooLarge()));
    clearTimeout(late);
    opened.page.on('crash', () => die('The page crashed.'));
    const { loadPage } = await import('./page/load-page.ts');
    const loaded = await loadPage({ opened, request, pass, clock, maxPageBytes, signal });
    outcome = 'done';
    return { loaded, metInvalid: opened.certificates.metInvalid };
  } catch (error) {
    caller.throwIfAborted();
    const failure = lease.endedByOperator() ?? (signal.aborted ? signal.reason : pageError(error));
    if (!(failure instanceof BrowserFault)) throw failure;
    outcome = 'broken';
    throw lease.whyEnded() ?? failure;
  } finally {
    clearTimeout(late);
    endCount();
    pass.revoke();
    // Not awaited: the caller need not wait for the clean-up. The slot stays taken until it is done.
    cleanUp(pool, opening, lease, outcome);
  }
}

/** Pages of one host take about as long, unless they are told to wait or to do something. */
const kindOfWork = ({ url, waitFor, actions }: FetchRequest): string =>
  `${url.host} ${waitFor > 0 || actions.length > 0 ? 'with waits' : ''}`;

/** A context that cannot be closed in time takes its browser with it. */
async function cleanUp(
  pool: BrowserPool,
  opening: ReturnType<typeof openPage>,
  { running, end }: Lease,
  outcome: PageEnd,
): Promise<void> {
  const late = setTimeout(() => pool.kill(running), CLOSE_MS);
  await Promise.race([opening.then(({ context }) => context.close()).catch(() => {}), running.ended]);
  clearTimeout(late);
  end(outcome);
}
