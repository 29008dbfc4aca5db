// A clock that the test sets.
import type { Clock } from '../../src/util/clock.ts';
import { START } from '../conformance/samples.ts';

export interface TestClock extends Clock {
  /** Sets the time and wakes every sleeper that is due. */
  set(time: number): void;
}

export function createTestClock(start: number = START): TestClock {
  let time = start;
  const sleepers = new Map<() => void, number>();
  return {
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = () => reject(signal!.reason);
      signal?.addEventListener('abort', onAbort);
      if (ms > 0) sleepers.set(resolve, time + ms);
      else resolve();
      await promise.finally(() => {
        sleepers.delete(resolve);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    set(to) {
      time = to;
      for (const [wake, at] of sleepers) if (at <= time) wake();
    },
  };
}
