// Removes expired rows in small rounds, so that other calls can run in between.
import { setImmediate } from 'node:timers/promises';
import type { Remover, Sweeper } from '../sql/database.ts';

const BATCH = 100;
/** Many, since a job may have a million tasks. */
const ROUNDS = 10_000;

/** `afterwards` is called at the end of every sweep, whether or not anything was removed. */
export function createSweeper(removers: Remover[], afterwards: () => void = () => {}): Sweeper {
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  const sweep = async (now: number) => {
    for (let round = 0; round < ROUNDS && !isStopped; round++) {
      let removed = 0;
      for (const remove of removers) removed += await remove(now, BATCH);
      if (removed === 0) return;
      await setImmediate();
    }
  };

  return {
    sweep(now) {
      last = Promise.allSettled([last])
        .then(() => sweep(now))
        .then(afterwards);
      return last;
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled([last]);
    },
  };
}
