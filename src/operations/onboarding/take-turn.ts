// Calls that anybody can make are limited by address, over all processes of the service.
import { ServiceError } from '../../contracts/errors.ts';
import type { TokenBuckets } from '../../store/limits/token-buckets.ts';
import { callerOf, createAddressPace, type PaceLimits } from '../../util/address-pace.ts';
import type { Clock } from '../../util/clock.ts';

export interface Turns {
  /** Counts one more. Milliseconds to wait if there were too many already; 0 if not. */
  count(address: string): number | Promise<number>;
}

/** `name` is that of what may be done so often. */
export type CreateTurns = (name: string, limits: PaceLimits) => Turns;

/** Without shared buckets, there is only this process. */
export const createTurnsBy =
  (clock: Pick<Clock, 'now'>, buckets?: Pick<TokenBuckets, 'take'>): CreateTurns =>
  (name, limits) =>
    buckets ? sharedTurns(name, limits, buckets, clock) : createAddressPace(clock, limits);

const sharedTurns = (
  name: string,
  { burst, everyMs }: PaceLimits,
  buckets: Pick<TokenBuckets, 'take'>,
  clock: Pick<Clock, 'now'>,
): Turns => ({
  async count(address) {
    const limit = { name: `${name} ${callerOf(address)}`, size: burst, refillMs: burst * everyMs };
    const { isTaken, buckets: found } = await buckets.take([limit], clock.now());
    return isTaken ? 0 : Math.max(1, (found[0]!.used + 1 - burst) * everyMs);
  },
});

/** Throws rate_limited. */
export async function takeTurn(turns: Turns, address: string): Promise<void> {
  const waitMs = await turns.count(address);
  if (waitMs > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(waitMs / 1000) });
}
