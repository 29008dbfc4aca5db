// Limits how often one address may do something: so many times at once, then once more every so often.

import { type Address, readPeer } from '../urls/networks.ts';
import { createBoundedMap } from '../util/bounded-map.ts';
import type { Clock } from '../util/clock.ts';

export interface AddressPace {
  /** Counts one more. Returns the milliseconds to wait if there were too many already, which counts nothing; 0 if not. */
  count(address: string): number;
  /** The last `count` was none. */
  takeBack(address: string): void;
}

export interface PaceLimits {
  /** Maximum number at once. */
  burst: number;
  /** Milliseconds after which one more is allowed. */
  everyMs: number;
}

interface Count {
  used: number;
  /** When `used` was right. */
  at: number;
}

const MAX_ADDRESSES = 10_000;

export function createAddressPace(clock: Pick<Clock, 'now'>, { burst, everyMs }: PaceLimits): AddressPace {
  const counts = createBoundedMap<string, Count>({ maxEntries: MAX_ADDRESSES, ttlMs: burst * everyMs, clock });
  const current = (caller: string): number => {
    const { used, at } = counts.get(caller) ?? { used: 0, at: 0 };
    return Math.max(0, used - Math.max(0, clock.now() - at) / everyMs);
  };
  const set = (caller: string, used: number) => counts.set(caller, { used, at: clock.now() });
  return {
    count(address) {
      const caller = callerOf(address);
      const used = current(caller);
      const waitMs = Math.max(0, used + 1 - burst) * everyMs;
      // Written in either case: should the clock be set back, time counts from here.
      set(caller, waitMs > 0 ? used : used + 1);
      return waitMs;
    },
    takeBack(address) {
      const caller = callerOf(address);
      set(caller, Math.max(0, current(caller) - 1));
    },
  };
}

/** One caller can have all addresses of an IPv6 network of 64 bits, so they count as one. */
export function callerOf(address: string): string {
  const peer: Address | undefined = readPeer(address);
  return peer?.kind() === 'ipv6' ? peer.toByteArray().slice(0, 8).join('.') : (peer?.toString() ?? '');
}
