// Port: token buckets, for everything that may be done only so often.

export interface TokenBucket {
  /** Tokens that were taken and are not refilled yet. */
  used: number;
  /** When `used` was right. */
  at: number;
}

export interface BucketLimit {
  name: string;
  /** Tokens of a full bucket. */
  size: number;
  /** An empty bucket is full again after this time. */
  refillMs: number;
}

export interface TakenTokens {
  isTaken: boolean;
  /** As they are after that, in the order in which they were named. */
  buckets: TokenBucket[];
}

export interface TokenBuckets {
  /** Takes a token of each, or none at all if one is empty. A name stands for one bucket, whatever its limit is. */
  take(limits: readonly BucketLimit[], now: number): Promise<TakenTokens>;
  giveBack(name: string): Promise<void>;
}
