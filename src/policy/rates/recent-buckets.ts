// The token buckets of one process. A bucket that nobody has used for as long as it takes to refill is full, like a new one, so it
// is dropped. No timer and no search is needed for that: buckets are kept in two generations, and the older one goes as a whole.
import type { BucketLimit, TokenBucket, TokenBuckets } from '../../store/ports/limits/token-buckets.ts';
import { createBucket, isEmpty, REFILL_MS, refill } from './token-bucket.ts';

export interface RecentBuckets extends TokenBuckets {
  readonly size: number;
}

/** Limit for one generation. If more buckets are in use, the least recently used ones count as full. */
const MAX_BUCKETS = 50_000;

export function createRecentBuckets(maxBuckets = MAX_BUCKETS): RecentBuckets {
  let recent = new Map<string, TokenBucket>();
  let older = new Map<string, TokenBucket>();
  let since = 0;

  const find = (name: string, now: number): TokenBucket => {
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
  };
  const findFilled = (limit: BucketLimit, now: number): TokenBucket => {
    const bucket = find(limit.name, now);
    refill(bucket, limit, now);
    return bucket;
  };

  return {
    get size() {
      return recent.size + older.size;
    },
    async take(limits, now) {
      const buckets = limits.map((limit) => findFilled(limit, now));
      const isTaken = buckets.every((bucket, at) => !isEmpty(bucket, limits[at]!));
      if (isTaken) for (const bucket of buckets) bucket.used += 1;
      return { isTaken, buckets: buckets.map((bucket) => ({ ...bucket })) };
    },
    async giveBack(name) {
      const bucket = recent.get(name) ?? older.get(name);
      if (bucket) bucket.used = Math.max(0, bucket.used - 1);
    },
  };
}
