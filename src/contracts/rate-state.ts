// What callers with a rate limit are told with every answer.

export interface RateState {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** When all of them are free again, in milliseconds since 1970. */
  resetAt: number;
}

/** `X-RateLimit-Reset` is in seconds since 1970. */
export const rateHeaders = ({ limit, remaining, resetAt }: RateState): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
});
