// The arithmetic of one token bucket: a limit of N a minute allows N requests at once, and refills by N/60 a second. So every
// bucket is full again after a minute without requests.
import type { RateState } from '../../contracts/rate-state.ts';

export interface TokenBucket {
  /** Tokens that were taken and are not refilled yet. */
  used: number;
  /** When `used` was right. */
  at: number;
}

/** An empty bucket is full again after this time. */
export const REFILL_MS = 60_000;
/** Sums of refilled fractions are not exact. Far less than a request, far more than the error. */
const ROUNDING = 1e-6;

export const createBucket = (now: number): TokenBucket => ({ used: 0, at: now });

/** Refills the bucket for the time since it was last looked at. A limit that was lowered meanwhile holds at once. */
export function refill(bucket: TokenBucket, limit: number, now: number): void {
  // If the clock was set back, time counts from here.
  const passed = Math.max(0, now - bucket.at);
  bucket.used = Math.min(limit, Math.max(0, bucket.used - (passed * limit) / REFILL_MS));
  bucket.at = now;
}

/** Milliseconds until a request can be taken; 0 if it can be now. */
export function waitMs({ used }: TokenBucket, limit: number): number {
  const missing = used + 1 - limit;
  return missing > ROUNDING ? (missing * REFILL_MS) / limit : 0;
}

export function stateOf({ used, at }: TokenBucket, limit: number): RateState {
  return {
    limit,
    remaining: Math.max(0, Math.floor(limit - used + ROUNDING)),
    resetAt: at + Math.ceil((used * REFILL_MS) / limit),
  };
}
