// One browser for all pages: started with the first page, recycled after a number of pages or when it exceeds its
// memory budget, and closed when idle.
import { ServiceError } from '../../../contracts/errors.ts';
import type { Clock } from '../../../util/clock.ts';
import { createGate } from '../../../util/gate.ts';
import type { Log } from '../../../util/log.ts';
import { memoryOfTree } from '../../../util/process-memory.ts';
import type { RunningBrowser } from './launch.ts';

export interface Lease {
  readonly running: RunningBrowser;
  /** Gives the slot back. A broken browser gets no new pages and is closed when its other pages are done. */
  end(isBroken?: boolean): void;
}

export interface BrowserPool {
  take(signal: AbortSignal): Promise<Lease>;
  /** Kills the browser with all of its pages. */
  kill(running: RunningBrowser): void;
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
  starting: Promise<RunningBrowser>;
  running?: RunningBrowser;
  openPages: number;
  servedPages: number;
  isRetired: boolean;
}

// Nobody at the end of a longer queue would be served in time.
const MAX_WAITING = 10_000;
// Reading the memory of all its processes costs a millisecond or two.
const PAGES_BETWEEN_MEMORY_CHECKS = 10;

export function createBrowserPool(deps: Deps): BrowserPool {
  const { clock, limits } = deps;
  const gate = createGate(limits.maxPages, MAX_WAITING);
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
    async take(signal) {
      const free = await gate.enter(signal);
      if (!free || isClosed) {
        free?.();
        throw new ServiceError(isClosed ? 'SERVICE_UNAVAILABLE' : 'QUEUE_FULL');
      }
      idle.abort();
      const browser = browsers.takeCurrent();
      let hasEnded = false;
      const end = (isBroken = false) => {
        if (hasEnded) return;
        hasEnded = true;
        free();
        browsers.release(browser, isBroken);
        if (gate.active === 0 && !isClosed) closeWhenIdle();
      };
      try {
        return { running: await browser.starting, end };
      } catch (error) {
        end(true);
        throw error;
      }
    },
    kill: browsers.kill,
    async close() {
      isClosed = true;
      idle.abort();
      await browsers.close();
    },
  };
}

/** The browser that takes new pages, and retired ones that still have some open. */
function createBrowsers({ launch, log, limits }: Deps) {
  const all = new Set<PooledBrowser>();
  let current: PooledBrowser | undefined;
  let isClosed = false;

  function start(): PooledBrowser {
    const browser: PooledBrowser = { starting: launch(), openPages: 0, servedPages: 0, isRetired: false };
    all.add(browser);
    const onEnd = () => {
      all.delete(browser);
      retire(browser);
    };
    browser.starting.then((running) => {
      browser.running = running;
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

  async function retireIfTooLarge(browser: PooledBrowser): Promise<void> {
    const { running, servedPages, isRetired } = browser;
    if (!running || isRetired || servedPages % PAGES_BETWEEN_MEMORY_CHECKS !== 0) return;
    if ((await memoryOfTree(running.pid, 'private')) > limits.maxBytes) retire(browser);
  }

  return {
    count: () => all.size,
    takeCurrent(): PooledBrowser {
      current ??= start();
      current.openPages += 1;
      return current;
    },
    release(browser: PooledBrowser, isBroken: boolean): void {
      browser.openPages -= 1;
      browser.servedPages += 1;
      if (isBroken || browser.isRetired || browser.servedPages >= limits.pagesEach) retire(browser);
      else retireIfTooLarge(browser);
    },
    retireCurrent(): void {
      if (current) retire(current);
    },
    kill(running: RunningBrowser): void {
      for (const browser of all) if (browser.running === running) retire(browser);
      running.close();
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...all].map(({ starting }) => starting.then((running) => running.close()).catch(() => {})));
    },
  };
}
