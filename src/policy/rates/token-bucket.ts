// The arithmetic of one token bucket: a limit of N a minute allows N requests at once, and refills by N/60 a second. So every
// bucket is full again after a minute without requests.
import type { RateState } from '../../contracts/rate-state.ts';
import type { BucketLimit, TokenBucket } from '../../store/ports/limits/token-buckets.ts';
import { TOKEN_ROUNDING } from '../../util/token-rounding.ts';

/** An empty bucket of a rate limit is full again after this time. */
export const REFILL_MS = 60_000;

type Size = Pick<BucketLimit, 'size' | 'refillMs'>;

export const createBucket = (now: number): TokenBucket => ({ used: 0, at: now });

/** Refills the bucket for the time since it was last looked at. A limit that was lowered meanwhile holds at once. */
export function refill(bucket: TokenBucket, { size, refillMs }: Size, now: number): void {
  // If the clock was set back, time counts from here.
  const passed = Math.max(0, now - bucket.at);
  bucket.used = Math.min(size, Math.max(0, bucket.used - (passed * size) / refillMs));
  bucket.at = now;
}

export const isEmpty = (bucket: TokenBucket, size: Size): boolean => waitMs(bucket, size) > 0;

/** Milliseconds until a request can be taken; 0 if it can be now. */
export function waitMs({ used }: TokenBucket, { size, refillMs }: Size): number {
  const missing = used + 1 - size;
  return missing > TOKEN_ROUNDING ? (missing * refillMs) / size : 0;
}

export function stateOf({ used, at }: TokenBucket, { size, refillMs }: Size): RateState {
  return {
    limit: size,
    remaining: Math.max(0, Math.floor(size - used + TOKEN_ROUNDING)),
    resetAt: at + Math.ceil((used * refillMs) / size),
  };
}
