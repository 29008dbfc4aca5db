// Long work on the event loop is done in slices, between which everything else gets its turn. Call it in every loop whose
// length a caller or a site decides: `if (slices.isOver()) await slices.next();`.
import { setImmediate } from 'node:timers/promises';

export interface Slices {
  /** Whether this slice has taken long enough. Cheap enough to ask for every entry of a list. */
  isOver(): boolean;
  /** Begins a new slice after all waiting work had its turn. */
  next(): Promise<void>;
}

const SLICE_MS = 8;

export function createSlices(sliceMs = SLICE_MS): Slices {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began >= sliceMs,
    async next() {
      await setImmediate();
      began = performance.now();
    },
  };
}
