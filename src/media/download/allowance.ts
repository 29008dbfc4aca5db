// The number of bytes that may still be fetched for one media file. All its segments share it.
import { tooLarge } from '../refusals.ts';

export interface Allowance {
  readonly left: number;
  /** Throws SCRAPE_MEDIA_TOO_LARGE. */
  spend(bytes: number): void;
}

export function createAllowance(maxBytes: number): Allowance {
  let left = maxBytes;
  return {
    get left() {
      return left;
    },
    spend(bytes) {
      left -= bytes;
      if (left < 0) throw tooLarge();
    },
  };
}
