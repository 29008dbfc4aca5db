// The ports of pages: the cache, results, scrapes, histories, the feed of the index, and files.

import type { Remover } from '../../sql/database.ts';
import type { UploadRows } from '../../sql/pages/files/upload-rows.ts';
import type { Store } from '../../store.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase } from '../database/queries.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import { createBodies } from './bodies.ts';
import { createPostgresBodies } from './body-columns.ts';
import { type CachedPageRows, createCachedPageRows } from './cache/cached-page-rows.ts';
import { createResultRows, type ResultRows } from './cache/result-rows.ts';
import { createFeedRows } from './feed-rows.ts';
import { createFilePorts } from './file-ports.ts';
import { createHistoryRows, type HistoryRows } from './history-rows.ts';
import { createPagePacker, type PagePacker } from './pack-to-store.ts';
import { createScrapeRows, type ScrapeRows } from './scrape-rows.ts';
import { createHostRows } from './stored/host-rows.ts';
import { createStoredPages } from './stored/stored-pages.ts';

/** All but the sweep, which needs the removers of all areas. */
export type PagePorts = Pick<Store, 'scrapes' | 'history' | 'stored' | 'feed' | 'files' | 'profiles'> & {
  uploads: UploadRows<Uint8Array>;
  pages: Omit<Store['pages'], 'sweep'>;
};

/** For the transactions of other areas. */
export interface PageRows {
  packer: PagePacker;
  pages: CachedPageRows;
  results: ResultRows;
  scrapes: ScrapeRows;
  history: HistoryRows;
}

export interface PageParts {
  ports: PagePorts;
  rows: PageRows;
  removers: Remover[];
}

export function createPageParts(base: Base, { ledger }: { ledger: LedgerRows }): PageParts {
  const { database, blobs, sealed, limits } = base;
  const shared = { database: createPostgresDatabase(database), bodies: createPostgresBodies(database, blobs) };
  const bodies = createBodies(database, blobs);
  const packer = createPagePacker(bodies);
  const results = createResultRows(database, bodies);
  const hosts = createHostRows(database);
  const feed = createFeedRows({ database, bodies, hosts });
  const pages = createCachedPageRows({ database, bodies, packer, results, feed, hosts }, limits.cacheMaxBytes);
  const history = createHistoryRows({ database, bodies, hosts });
  const scrapes = createScrapeRows({ database, results, packer, pages, ledger, history, sealed });
  const stored = createStoredPages({ database, bodies, hosts, pages, history });
  const { removers: fileRemovers, ...filePorts } = createFilePorts({ base, ...shared });
  return {
    ports: { pages, scrapes, history, stored, feed, ...filePorts },
    rows: { packer, pages, results, scrapes, history },
    removers: [scrapes.removeExpired, pages.removeExpired, results.removeDetached, pages.evict, ...fileRemovers],
  };
}
