// Removing what nobody needs any more, in small rounds, so that other calls have their turn in between.
import { setImmediate } from 'node:timers/promises';

/** Removes at most `limit` entries and says how many it was. */
export type Remover = (now: number, limit: number) => number;

export interface Sweeper {
  /** Removes round by round, until nothing is left or enough was done for one call; the next call goes on. */
  sweep(now: number): Promise<void>;
  /** Lets the sweeps under way end after their present round. */
  stop(): Promise<void>;
}

const BATCH = 100;
/** A job may have a million tasks. */
const ROUNDS = 10_000;

export function createSweeper(removers: Remover[]): Sweeper {
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  const sweep = async (now: number) => {
    for (let round = 0; round < ROUNDS && !isStopped; round++) {
      const removed = removers.reduce((sum, remove) => sum + remove(now, BATCH), 0);
      if (removed === 0) return;
      await setImmediate();
    }
  };

  return {
    sweep(now) {
      last = Promise.allSettled([last]).then(() => sweep(now));
      return last;
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled([last]);
    },
  };
}
