// The page cache, with its versions. Its limits are in page-removal.ts, the results of each page in result-rows.ts.
import type { PageOwner } from '../../../../page/page-owner.ts';
import type { PageStore } from '../../../ports/pages/page-store.ts';
import type { Database, Tx } from '../../database.ts';
import type { Bodies } from '../bodies.ts';
import type { Eviction } from '../eviction.ts';
import type { IndexEntries } from '../index-entries.ts';
import type { PagePacker } from '../page-packer.ts';
import type { HostCounters } from '../stored/host-list.ts';
import { createPageFinder, type IntactPage, type KeptQuery } from './page-finder.ts';
import { createPageLists } from './page-lists.ts';
import { createPageRemoval, type PageRemoval, type PageRow } from './page-removal.ts';
import { createPageWriter, type WritePage } from './page-writer.ts';
import type { ResultRows } from './result-rows.ts';

export interface CachedPageRows
  extends Omit<PageStore, 'sweep' | 'find'>,
    Pick<PageRemoval, 'makeRoom' | 'removeExpired' | 'removeOldest' | 'evict'> {
  find(query: KeptQuery): Promise<IntactPage | undefined>;
  /** Call inside a transaction. */
  write: WritePage;
  /**
   * Call inside a transaction. Removes the copies that were requested or found at the URL, and the page from the index;
   * `withTargets`: also the pages that the URL leads to. Returns how many copies and index entries there were.
   */
  removeUrl(tx: Tx, url: string, owner: PageOwner, withTargets: boolean): Promise<{ copies: number; entries: number }>;
}

export interface CachedPageRowsDeps {
  database: Database;
  bodies: Bodies;
  packer: PagePacker;
  results: ResultRows;
  entries: IndexEntries;
  hosts: HostCounters;
  eviction: Eviction;
}

export function createCachedPageRows(deps: CachedPageRowsDeps): CachedPageRows {
  const { database, packer, entries } = deps;
  const removal = createPageRemoval(deps);
  const { makeRoom, removeExpired, removeOldest, evict } = removal;
  const write = createPageWriter({ ...deps, removal });

  const removeLost = (pageId: number, now: number) =>
    database.transaction(async (tx) => {
      const lost = await tx.rows<PageRow>`SELECT ${removal.columns} FROM pages WHERE id = ${pageId} FOR UPDATE`;
      await removal.removePages(tx, lost, now);
    });

  const removeUrl: CachedPageRows['removeUrl'] = async (tx, url, owner, withTargets) => {
    const pages = await tx.rows<PageRow>`
      SELECT ${removal.columns} FROM pages WHERE id IN (
        SELECT id FROM pages WHERE owner = ${owner} AND url_key(url) = url_key(${url})
        UNION SELECT id FROM pages
          WHERE owner = ${owner} AND url_key(final_url) = url_key(${url}) AND final_url IS NOT NULL)
      ORDER BY id FOR UPDATE`;
    const targets = withTargets ? pages.map(({ foundAt }) => foundAt) : [];
    let removed = 0;
    for (const name of new Set([url, ...targets])) {
      if (await entries.remove(tx, await entries.lock(tx, owner, name))) removed += 1;
    }
    // At time 0, results without a scrape get no grace period and are removed by the next sweep.
    await removal.removePages(tx, pages, 0);
    return { copies: pages.length, entries: removed };
  };

  return {
    ...{ write, removeUrl, makeRoom, removeExpired, removeOldest, evict },
    ...createPageLists(database),
    find: createPageFinder({ ...deps, removeLost }),
    async save(toStore) {
      const packed = await packer.pack(toStore);
      const resultId = await packer.whileWriting([packed], () => database.transaction((tx) => write(tx, packed)));
      packer.free(toStore);
      if ('result' in packed) await makeRoom(packed.result.now);
      return String(resultId);
    },
    delete: (url, owner) => database.transaction(async (tx) => (await removeUrl(tx, url, owner, true)).copies),
  };
}
