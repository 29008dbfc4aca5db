// Time that passes only when nothing else is left to do, so that hours of load take milliseconds.
import type { Clock } from '../../../../src/util/clock.ts';

export interface SimulatedClock extends Clock {
  /** Lets time pass from one timer to the next, until there is none. */
  run(): Promise<void>;
}

export function createSimulatedClock(): SimulatedClock {
  let time = 0;
  const timers = new Set<{ at: number; wake: () => void }>();
  // Promises settle in microtasks, which all run before the next macrotask.
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = { at: time + Math.max(0, ms), wake: resolve };
      timers.add(timer);
      signal?.addEventListener('abort', () => timers.delete(timer) && reject(signal.reason), { once: true });
      return promise;
    },
    async run() {
      for (await settle(); timers.size > 0; await settle()) {
        time = Math.min(...[...timers].map(({ at }) => at));
        for (const timer of timers) {
          if (timer.at > time) continue;
          timers.delete(timer);
          timer.wake();
        }
      }
    },
  };
}
