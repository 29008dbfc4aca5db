// What tests share with the threads of `counting-thread.ts`.
import { setEnvironmentData } from 'node:worker_threads';

export const COUNTS = 'counts of page threads';
/** Beginnings of pages. */
export const WAIT = '<!--wait-->';
export const EXIT = '<!--exit-->';
export const AT = { parses: 0, waits: 1, mayGoOn: 2 };

/** Threads that are started from now on count here. */
export function countInThreads() {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  setEnvironmentData(COUNTS, counts.buffer);
  return {
    parses: () => Atomics.load(counts, AT.parses),
    /** A thread has begun with a page that waits. */
    waiting: async () => {
      await Atomics.waitAsync(counts, AT.waits, 0).value;
    },
    goOn() {
      Atomics.store(counts, AT.mayGoOn, 1);
      Atomics.notify(counts, AT.mayGoOn);
    },
  };
}
