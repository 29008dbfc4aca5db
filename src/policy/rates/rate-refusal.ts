// The answer to a request beyond a rate limit.
import { ServiceError } from '../../contracts/errors.ts';
import { type RateState, rateHeaders } from '../../contracts/rate-state.ts';
import { iso } from '../../util/clock.ts';

/** Clients look for the words of this text, so it is the one of the public interface. */
export function rateLimited(state: RateState, waitMs: number): ServiceError {
  const { limit, remaining, resetAt } = state;
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('RATE_LIMITED', {
    message:
      `Rate limit exceeded. Consumed (req/min): ${limit - remaining}, Remaining (req/min): ${remaining}. ` +
      `Please retry after ${retryAfter}s, resets at ${iso(resetAt)}`,
    retryAfter,
    headers: rateHeaders(state),
  });
}
