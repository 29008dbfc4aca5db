// Calls that anybody can make are limited by address, over all processes of the service.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { callerOf, createAddressPace, type PaceLimits } from '../../runtime/address-pace.ts';
import type { TokenBuckets } from '../../store/ports/limits/token-buckets.ts';
import type { Clock } from '../../util/clock.ts';

export interface Turns {
  /** Counts one more. Milliseconds to wait if there were too many already; 0 if not. */
  count(address: string): number | Promise<number>;
}

const PACES = {
  /** The public command line asks every two seconds for up to five minutes. */
  'questions about logins': { burst: 200, everyMs: 500 },
  'approvals of logins': { burst: 10, everyMs: 6_000 },
  /** As auth.md recommends: 60 an hour with an assertion, 5 without. */
  'agents with an assertion': { burst: 60, everyMs: 60_000 },
  'agents without a name': { burst: 5, everyMs: 12 * 60_000 },
  /** Asking about a claim, and giving keys back. */
  'other calls of agents': { burst: 60, everyMs: 10_000 },
  'questions about sessions': { burst: 200, everyMs: 500 },
  'logins to the console': { burst: 20, everyMs: 3_000 },
} satisfies Record<string, PaceLimits>;

/** By what may be done so often. */
export type OpenTurns = Readonly<Record<keyof typeof PACES, Turns>>;

type CreateTurns = (name: string, limits: PaceLimits) => Turns;

export const createOpenTurns = (create: CreateTurns): OpenTurns =>
  Object.fromEntries(Object.entries(PACES).map(([name, limits]) => [name, create(name, limits)])) as OpenTurns;

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
