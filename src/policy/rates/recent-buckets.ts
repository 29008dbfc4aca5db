// The token buckets in use. A bucket that nobody has used for as long as it takes to refill is full, like a new one, so it is
// dropped. No timer and no search is needed for that: buckets are kept in two generations, and the older one goes as a whole.
import { createBucket, REFILL_MS, type TokenBucket } from './token-bucket.ts';

export interface RecentBuckets {
  readonly size: number;
  /** The bucket with this name, or a full one. */
  get(name: string, now: number): TokenBucket;
}

/** Of one generation. If more are in use, those used least recently are taken for full ones. */
const MAX_BUCKETS = 50_000;

export function createRecentBuckets(maxBuckets = MAX_BUCKETS): RecentBuckets {
  let recent = new Map<string, TokenBucket>();
  let older = new Map<string, TokenBucket>();
  let since = 0;

  return {
    get size() {
      return recent.size + older.size;
    },
    get(name, now) {
      const age = now - since;
      // Negative if the clock was set back.
      if (age >= REFILL_MS || age < 0 || recent.size >= maxBuckets) {
        older = age >= 2 * REFILL_MS ? new Map() : recent;
        recent = new Map();
        since = now;
      }
      const known = recent.get(name);
      if (known) return known;
      const bucket = older.get(name) ?? createBucket(now);
      older.delete(name);
      recent.set(name, bucket);
      return bucket;
    },
  };
}
