// Limits how many unknown keys of one address are looked up. The limit protects the store, not weak keys: a valid key is
// let in at any time, because a caller must not be locked out by a neighbour behind the same address.

import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import type { Address } from '../../util/networks.ts';
import { readPeer } from '../../util/networks.ts';

export interface WrongKeys {
  /** Counts one unknown key. Returns the milliseconds to wait if the address has sent too many already; 0 if not. */
  count(address: string): number;
  /** The key of the last `count` was a valid one. */
  takeBack(address: string): void;
}

interface Count {
  keys: number;
  /** When `keys` was right. */
  at: number;
}

/** An address may send this many wrong keys at once, then one more every FORGET_MS. */
export const MAX_WRONG_KEYS = 100;
const FORGET_MS = 1_000;
const MAX_ADDRESSES = 10_000;

export function createWrongKeys(clock: Pick<Clock, 'now'>): WrongKeys {
  const ttlMs = MAX_WRONG_KEYS * FORGET_MS;
  const counts = createBoundedMap<string, Count>({ maxEntries: MAX_ADDRESSES, ttlMs, clock });
  const current = (caller: string): number => {
    const { keys, at } = counts.get(caller) ?? { keys: 0, at: 0 };
    return Math.max(0, keys - Math.max(0, clock.now() - at) / FORGET_MS);
  };
  const set = (caller: string, keys: number) => counts.set(caller, { keys, at: clock.now() });
  return {
    count(address) {
      const caller = callerOf(address);
      const keys = current(caller);
      const waitMs = Math.max(0, keys + 1 - MAX_WRONG_KEYS) * FORGET_MS;
      // Written in either case: should the clock be set back, time counts from here.
      set(caller, waitMs > 0 ? keys : keys + 1);
      return waitMs;
    },
    takeBack(address) {
      const caller = callerOf(address);
      set(caller, Math.max(0, current(caller) - 1));
    },
  };
}

/** One caller can have all addresses of an IPv6 network of 64 bits, so they count as one. */
function callerOf(address: string): string {
  const peer: Address | undefined = readPeer(address);
  return peer?.kind() === 'ipv6' ? peer.toByteArray().slice(0, 8).join('.') : (peer?.toString() ?? '');
}
