// Limits how many unknown keys of one address are looked up. The limit protects the store, not weak keys: a valid key is
// let in at any time, because a caller must not be locked out by a neighbour behind the same address.
import { type AddressPace, createAddressPace } from '../../util/address-pace.ts';
import type { Clock } from '../../util/clock.ts';

/** An address may send this many wrong keys at once, then one more every FORGET_MS. */
export const MAX_WRONG_KEYS = 100;
const FORGET_MS = 1_000;

export const createWrongKeys = (clock: Pick<Clock, 'now'>): AddressPace =>
  createAddressPace(clock, { burst: MAX_WRONG_KEYS, everyMs: FORGET_MS });
