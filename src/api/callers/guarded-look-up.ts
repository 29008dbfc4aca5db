// Looks up secrets that callers send: keys, and sessions of the console. An address that sends many wrong ones is answered
// without look-ups until it slows down; a valid one is always let in.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { createAddressPace } from '../../runtime/address-pace.ts';
import type { Clock } from '../../util/clock.ts';
import { createKnownHashes } from './known-hashes.ts';

/**
 * An address may send this many wrong keys at once, then one more every FORGET_MS. The limit protects the store, not weak
 * keys: a caller must not be locked out by a neighbour behind the same address.
 */
export const MAX_WRONG_KEYS = 100;
const FORGET_MS = 1_000;

/** `find` is only called if the address may ask. Undefined for a wrong secret. Throws TOO_MANY_WRONG_KEYS. */
export type GuardedLookUp = <T>(
  hash: string,
  address: string,
  find: () => Promise<T | undefined>,
) => Promise<T | undefined>;

interface Deps {
  /** The hashes of all valid secrets. */
  listHashes(): Promise<string[]>;
  /** Told of every secret that was not looked up any more. */
  onRefused?(address: string): void;
  clock: Clock;
}

export function createGuardedLookUp({ listHashes, onRefused, clock }: Deps): GuardedLookUp {
  const wrongKeys = createAddressPace(clock, { burst: MAX_WRONG_KEYS, everyMs: FORGET_MS });
  const known = createKnownHashes(listHashes, clock);

  const lookUp: GuardedLookUp = async (hash, _address, find) => {
    const found = await find();
    if (found === undefined) known.delete(hash);
    else known.add(hash);
    return found;
  };
  const lookUpUnknown: GuardedLookUp = async (hash, address, find) => {
    // Counted before the look-up: otherwise many secrets sent at once would all be looked up.
    const waitMs = wrongKeys.count(address);
    if (waitMs > 0 && !(await known.find(hash))) {
      onRefused?.(address);
      throw new ServiceError('TOO_MANY_WRONG_KEYS', { retryAfter: Math.ceil(waitMs / 1000) });
    }
    const found = await lookUp(hash, address, find);
    if (found !== undefined && waitMs === 0) wrongKeys.takeBack(address);
    return found;
  };
  return (hash, address, find) => (known.has(hash) ? lookUp : lookUpUnknown)(hash, address, find);
}
