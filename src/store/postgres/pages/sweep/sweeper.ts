// Removes what has expired in small rounds, so that other calls can run in between. All processes ask for it, and one at a time
// does it.
import { randomUUID } from 'node:crypto';
import type { Remover, Sweeper } from '../../../sql/database.ts';
import type { Base } from '../../base.ts';
import { createBlobSweep } from './blob-sweep.ts';

const BATCH = 100;
const LONGEST_MS = 45_000;
/** After this, another process takes over from one that died. */
const LEASE = '2 minutes';

/** `removers` are those of all areas, once the first sweep begins. */
export function createSweeper(
  { database, blobs }: Pick<Base, 'database' | 'blobs'>,
  removers: readonly Remover[],
): Sweeper {
  const { sql } = database;
  const blobSweep = createBlobSweep(database, blobs);
  const owner = randomUUID();
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  /** Goes on with those that had something to remove; what they removed may leave something to all others. */
  const removeAll = async (now: number) => {
    const end = performance.now() + LONGEST_MS;
    const isOver = () => isStopped || performance.now() > end;
    const all = [...removers, (_now: number, limit: number) => blobSweep.removeNoted(limit)];
    for (let active = all; active.length > 0 && !isOver(); ) {
      const busy: Remover[] = [];
      for (const remove of active) if (!isOver() && (await remove(now, BATCH)) > 0) busy.push(remove);
      active = busy.length > 0 || active === all ? busy : all;
    }
    if (!isOver()) await blobSweep.removeOrphans();
  };

  const sweepAlone = async (now: number) => {
    if (isStopped) return;
    const taken = await sql`
      UPDATE sweep_lease SET owner = ${owner}, ends_at = now() + ${LEASE}::interval WHERE ends_at <= now()`;
    if (taken.count === 0) return;
    try {
      await removeAll(now);
    } finally {
      await sql`UPDATE sweep_lease SET ends_at = now() WHERE owner = ${owner}`;
    }
  };

  return {
    sweep(now) {
      last = Promise.allSettled([last]).then(() => sweepAlone(now));
      return last;
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled([last]);
    },
  };
}
