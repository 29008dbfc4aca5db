// How long the event loop kept its timers waiting, over the last one to two minutes.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** In seconds. A peak is reported for at least a minute, so that one reader a minute misses none. */
  read(): { p50: number; p99: number; max: number };
  stop(): void;
}

const RESOLUTION_MS = 20;
const WINDOW_MS = 60_000;
const IDLE = { p50: 0, p99: 0, max: 0 };

export function watchLoopDelay(): LoopDelay {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let before = IDLE;
  const current = () =>
    delays.count === 0
      ? IDLE
      : { p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(delays.max) };
  const rotating = setInterval(() => {
    before = current();
    delays.reset();
  }, WINDOW_MS).unref();
  return {
    read() {
      const now = current();
      return {
        p50: Math.max(before.p50, now.p50),
        p99: Math.max(before.p99, now.p99),
        max: Math.max(before.max, now.max),
      };
    },
    stop() {
      clearInterval(rotating);
      delays.disable();
    },
  };
}

/** The histogram has the times between two timers, in nanoseconds; without delay they are one resolution apart. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1000;
