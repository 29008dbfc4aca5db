// Removes a stored page from the collections of a team, inside the transaction that removes the rest of it.
import type { Tx } from '../database.ts';
import type { ScrapeRows } from '../pages/scrape-rows.ts';
import type { Sealer } from '../sealer.ts';
import { createCollectionRows } from './collection-rows.ts';
import { createMemberRows, foundAt } from './member-rows.ts';

export interface MemberRemoval {
  /** Returns of how many collections it was a member. */
  removeUrl(tx: Tx, teamId: string, url: string, now: number): Promise<number>;
}

/** A collection has few members that lead to one address. */
const ALL = 1_000;

export function createMemberRemoval(deps: {
  sealed: Sealer;
  scrapes: Pick<ScrapeRows, 'keep' | 'letGo'>;
}): MemberRemoval {
  const rows = createCollectionRows(deps.sealed);
  const members = createMemberRows(deps);
  return {
    async removeUrl(tx, teamId, url, now) {
      let removed = 0;
      for (const collection of await rows.lockWith(tx, teamId, url)) {
        const deleted = await members.delete(tx, collection, foundAt(collection, url), now, ALL);
        if (deleted === 0) continue;
        await rows.save(tx, collection);
        removed += 1;
      }
      return removed;
    },
  };
}
