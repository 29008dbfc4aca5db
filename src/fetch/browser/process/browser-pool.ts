// One browser for all pages: started with the first page, recycled after a number of pages or when it exceeds its
// memory budget, and closed when idle.
import { queueFull, ServiceError } from '../../../contracts/errors/errors.ts';
import { type Asker, createGate } from '../../../runtime/gate/gate.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Clock } from '../../../util/clock.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { BrowserFault, memoryExceeded } from '../browser-failure.ts';
import type { RunningBrowser } from './launch.ts';
import type { Excess } from './memory/find-excess.ts';

/** `broken`: the browser is to be replaced. */
export type PageEnd = 'done' | 'failed' | 'broken';

export interface Lease {
  readonly running: RunningBrowser;
  /** How long the page waited for its slot. */
  readonly waitedMs: number;
  /** Gives the slot back. A broken browser gets no new pages and is closed when its other pages are done. */
  end(outcome: PageEnd): void;
  /** Why memory ended the page, or the browser with it; undefined if it did not. Each page that was ended is told once. */
  whyEnded(): Error | undefined;
  /** Set if the operator ended the browser. Then whatever else went wrong follows from that. */
  endedByOperator(): Error | undefined;
}

/** A browser as the operator sees it. */
export interface PoolProcess {
  id: string;
  /** 0 while it starts. */
  pid: number;
  startedAt: number;
  /** retiring: it takes no new pages, and ends with its last one. */
  state: 'starting' | 'running' | 'retiring';
  openPages: number;
  servedPages: number;
  memoryBytes: number;
}

/** What a slot in a browser is wanted for. */
export interface PageWish {
  asker: Asker;
  /** Names pages that take about as long. */
  kind: string;
  /** In a new browser that gets no other page. */
  isAlone?: boolean;
}

export interface BrowserPool {
  /** Throws QUEUE_FULL if the page could not be loaded by the asker's deadline. */
  take(wish: PageWish, signal: AbortSignal): Promise<Lease>;
  /** Kills the browser with all of its pages. */
  kill(running: RunningBrowser): void;
  list(): PoolProcess[];
  /** For the operator: kills a browser, and its pages are loaded again in another one. Undefined if it does not run. */
  end(id: string): PoolProcess | undefined;
  readonly pages: number;
  /** Browsers that run, retired ones included. */
  readonly browsers: number;
  close(): Promise<void>;
}

export interface PoolLimits {
  maxPages: number;
  /** A browser is recycled after this many pages. */
  pagesEach: number;
  /** A browser is recycled when its processes hold more memory than this. */
  maxBytes: number;
  idleMs: number;
}

interface Deps {
  launch(): Promise<RunningBrowser>;
  clock: Clock;
  log: Log;
  limits: PoolLimits;
}

interface PooledBrowser {
  id: string;
  startedAt: number;
  starting: Promise<RunningBrowser>;
  running?: RunningBrowser;
  openPages: number;
  servedPages: number;
  isRetired: boolean;
  /** Why memory ended the browser. */
  ended?: Error;
  endedByOperator?: Error;
  /** Why memory ended single pages of it, which have not been told yet. */
  endedPages: Error[];
}

export function createBrowserPool(deps: Deps): BrowserPool {
  const { clock, limits } = deps;
  const gate = createGate({ size: limits.maxPages, spare: 1, clock, refusal: queueFull });
  const browsers = createBrowsers(deps);
  let idle = new AbortController();
  let isClosed = false;

  async function closeWhenIdle(): Promise<void> {
    idle = new AbortController();
    await clock.sleep(limits.idleMs, idle.signal).then(browsers.retireCurrent, () => {});
  }

  return {
    get pages() {
      return gate.active;
    },
    get browsers() {
      return browsers.count();
    },
    async take({ asker, kind, isAlone = false }, signal) {
      const slot = await gate.enter(asker, kind, signal);
      if (isClosed) {
        slot.leave('failed');
        throw new ServiceError('SERVICE_UNAVAILABLE');
      }
      idle.abort();
      const browser = isAlone ? browsers.takeOwn() : browsers.takeCurrent();
      let hasEnded = false;
      const end: Lease['end'] = (outcome) => {
        if (hasEnded) return;
        hasEnded = true;
        slot.leave(outcome === 'done' ? 'done' : 'failed');
        browsers.release(browser, outcome === 'broken');
        if (gate.active === 0 && !isClosed) closeWhenIdle();
      };
      try {
        const whyEnded = () => browser.ended ?? browser.endedPages.shift();
        const endedByOperator = () => browser.endedByOperator;
        return { running: await browser.starting, waitedMs: slot.waitedMs, end, whyEnded, endedByOperator };
      } catch (error) {
        end('broken');
        throw error;
      }
    },
    kill: browsers.kill,
    list: browsers.list,
    end: browsers.end,
    async close() {
      isClosed = true;
      idle.abort();
      await browsers.close();
    },
  };
}

/** The browser that takes new pages, and retired ones that still have some open. */
function createBrowsers({ launch, clock, log, limits }: Deps) {
  const all = new Set<PooledBrowser>();
  let current: PooledBrowser | undefined;
  let isClosed = false;

  function start(): PooledBrowser {
    const startedAt = clock.now();
    const browser: PooledBrowser = {
      id: uuidv7(startedAt),
      startedAt,
      starting: launch(),
      openPages: 0,
      servedPages: 0,
      isRetired: false,
      endedPages: [],
    };
    all.add(browser);
    const onEnd = () => {
      all.delete(browser);
      retire(browser);
    };
    browser.starting.then((running) => {
      browser.running = running;
      running.memory.pages = browser.openPages;
      running.memory.onExcess = (excess) => onExcess(browser, excess);
      log.debug({ pid: running.pid }, 'browser started');
      running.ended.then(onEnd);
      if (isClosed) running.close();
    }, onEnd);
    return browser;
  }

  function retire(browser: PooledBrowser): void {
    browser.isRetired = true;
    if (current === browser) current = undefined;
    if (browser.openPages === 0) browser.running?.close();
  }

  function countPages(browser: PooledBrowser, change: 1 | -1): PooledBrowser {
    browser.openPages += change;
    if (browser.running) browser.running.memory.pages = browser.openPages;
    return browser;
  }

  /** With several pages in a browser that ends, any of them may be at fault. */
  function onExcess(browser: PooledBrowser, { scope, renderer }: Excess): void {
    log.warn({ pid: browser.running?.pid, renderer, pages: browser.openPages, scope }, 'page uses too much memory');
    if (renderer !== undefined) browser.endedPages.push(memoryExceeded(scope));
    else if (browser.openPages === 1) browser.ended = memoryExceeded(scope);
    else browser.ended = new BrowserFault('The browser used too much memory.', { isSuspect: true });
    retire(browser);
  }

  return {
    count: () => all.size,
    takeCurrent(): PooledBrowser {
      current ??= start();
      return countPages(current, 1);
    },
    takeOwn(): PooledBrowser {
      const browser = start();
      browser.isRetired = true;
      return countPages(browser, 1);
    },
    release(browser: PooledBrowser, isBroken: boolean): void {
      countPages(browser, -1);
      browser.servedPages += 1;
      const isTooLarge = (browser.running?.memory.bytes ?? 0) > limits.maxBytes;
      if (isBroken || isTooLarge || browser.isRetired || browser.servedPages >= limits.pagesEach) retire(browser);
    },
    retireCurrent(): void {
      if (current) retire(current);
    },
    kill(running: RunningBrowser): void {
      for (const browser of all) if (browser.running === running) retire(browser);
      running.kill();
    },
    list: () => [...all].map(describe),
    end(id: string): PoolProcess | undefined {
      const browser = [...all].find((one) => one.id === id);
      if (!browser || browser.endedByOperator) return undefined;
      const described = describe(browser);
      log.warn({ pid: described.pid, pages: described.openPages }, 'browser ended by the operator');
      browser.endedByOperator = new BrowserFault('The operator ended the browser.', { isOperators: true });
      retire(browser);
      browser.starting.then((running) => running.kill()).catch(() => {});
      return described;
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...all].map(({ starting }) => starting.then((running) => running.close()).catch(() => {})));
    },
  };
}

const describe = ({ id, startedAt, running, isRetired, openPages, servedPages }: PooledBrowser): PoolProcess => ({
  ...{ id, startedAt, openPages, servedPages },
  pid: running?.pid ?? 0,
  state: running ? (isRetired ? 'retiring' : 'running') : 'starting',
  memoryBytes: running?.memory.bytes ?? 0,
});
