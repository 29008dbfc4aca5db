// The hashes of all valid keys or sessions, read from the store at most once a second: enough to tell wrong ones from valid
// ones without a look-up for each. Whether one is still valid is always decided by the store.
import type { Clock } from '../../util/clock.ts';

export interface KnownHashes {
  has(hash: string): boolean;
  add(hash: string): void;
  delete(hash: string): void;
  /** Like `has`, but finds everything that is older than a second. */
  find(hash: string): Promise<boolean>;
}

const FRESH_MS = 1_000;

export function createKnownHashes(listHashes: () => Promise<string[]>, clock: Pick<Clock, 'now'>): KnownHashes {
  let hashes = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async () => {
    const began = clock.now();
    hashes = new Set(await listHashes());
    readAt = began;
  };
  // The clock may have been set back.
  const isFresh = () => clock.now() >= readAt && clock.now() - readAt < FRESH_MS;

  return {
    has: (hash) => hashes.has(hash),
    add: (hash) => hashes.add(hash),
    delete: (hash) => hashes.delete(hash),
    async find(hash) {
      if (!hashes.has(hash) && !isFresh()) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return hashes.has(hash);
    },
  };
}
