// One browser for all pages: started with the first, replaced before it grows old or fat, ended when nobody needs it.
import { ServiceError } from '../../../contracts/errors.ts';
import type { Clock } from '../../../util/clock.ts';
import { createGate } from '../../../util/limit.ts';
import type { Log } from '../../../util/log.ts';
import { memoryOfTree } from '../../../util/process-memory.ts';
import type { RunningBrowser } from './launch.ts';

export interface Lease {
  readonly running: RunningBrowser;
  /** Gives the place back. With `broken`, nobody else gets this browser, and it is killed when its other pages are done. */
  end(broken?: boolean): void;
}

export interface BrowserPool {
  take(signal: AbortSignal): Promise<Lease>;
  /** Kills the browser under all of its pages. */
  kill(running: RunningBrowser): void;
  readonly pages: number;
  close(): Promise<void>;
}

export interface PoolLimits {
  maxPages: number;
  /** A browser that has shown this many pages is replaced. */
  pagesEach: number;
  /** So is one whose processes hold more than this. */
  maxBytes: number;
  idleMs: number;
}

interface Deps {
  launch(): Promise<RunningBrowser>;
  clock: Clock;
  log: Log;
  limits: PoolLimits;
}

interface Generation {
  starting: Promise<RunningBrowser>;
  running?: RunningBrowser;
  open: number;
  shown: number;
  isRetired: boolean;
}

// More pages than that at once could not be served in anybody's time.
const WAITING_ROOM = 10_000;
// Reading the memory of all processes costs a millisecond or two.
const MEMORY_EVERY = 10;

export function createPool({ launch, clock, log, limits }: Deps): BrowserPool {
  const gate = createGate(limits.maxPages, WAITING_ROOM);
  const all = new Set<Generation>();
  let current: Generation | undefined;
  let idle = new AbortController();
  let isClosed = false;

  function start(): Generation {
    const generation: Generation = { starting: launch(), open: 0, shown: 0, isRetired: false };
    all.add(generation);
    const gone = () => {
      all.delete(generation);
      retire(generation);
    };
    generation.starting.then((running) => {
      generation.running = running;
      log.debug({ pid: running.pid }, 'browser started');
      running.ended.then(gone);
      if (isClosed) running.close();
    }, gone);
    return generation;
  }

  function retire(generation: Generation): void {
    generation.isRetired = true;
    if (current === generation) current = undefined;
    if (generation.open === 0) generation.running?.close();
  }

  async function retireIfTooLarge(generation: Generation): Promise<void> {
    const { shown, running, isRetired } = generation;
    if (!running || isRetired || shown % MEMORY_EVERY !== 0) return;
    if ((await memoryOfTree(running.pid, 'private')) > limits.maxBytes) retire(generation);
  }

  async function endWhenIdle(): Promise<void> {
    idle = new AbortController();
    const { signal } = idle;
    await clock.sleep(limits.idleMs, signal).then(
      () => current && retire(current),
      () => {},
    );
  }

  function leave(generation: Generation, broken: boolean): void {
    generation.open -= 1;
    generation.shown += 1;
    if (broken || generation.isRetired || generation.shown >= limits.pagesEach) retire(generation);
    retireIfTooLarge(generation);
    if (gate.active === 0 && !isClosed) endWhenIdle();
  }

  return {
    get pages() {
      return gate.active;
    },
    async take(signal) {
      const free = await gate.enter(signal);
      if (!free || isClosed) {
        free?.();
        throw new ServiceError(isClosed ? 'SERVICE_UNAVAILABLE' : 'QUEUE_FULL');
      }
      idle.abort();
      current ??= start();
      const generation = current;
      generation.open += 1;
      let hasEnded = false;
      const end = (broken = false) => {
        if (hasEnded) return;
        hasEnded = true;
        free();
        leave(generation, broken);
      };
      try {
        return { running: await generation.starting, end };
      } catch (error) {
        end(true);
        throw error;
      }
    },
    kill(running) {
      for (const generation of all) if (generation.running === running) retire(generation);
      running.close();
    },
    async close() {
      isClosed = true;
      idle.abort();
      await Promise.all([...all].map(({ starting }) => starting.then((running) => running.close()).catch(() => {})));
    },
  };
}
