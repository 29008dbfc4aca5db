// The ports of pages: the cache, results, scrapes, histories, the feed of the index, and files.
import { createHash } from 'node:crypto';
import { keepOutcomes } from '../../calls/kept-outcomes.ts';
import { openFound } from '../../encoding/stored-outcome.ts';
import type { Store } from '../../ports/store.ts';
import { createMemberRemoval } from '../../sql/collections/member-removal.ts';
import type { Remover } from '../../sql/database.ts';
import type { Bodies } from '../../sql/pages/bodies.ts';
import { type CachedPageRows, createCachedPageRows } from '../../sql/pages/cache/cached-page-rows.ts';
import { createResultRows, type ResultRows } from '../../sql/pages/cache/result-rows.ts';
import { createChunkVectorRows } from '../../sql/pages/chunk-vector-rows.ts';
import type { FileRows } from '../../sql/pages/files/file-rows.ts';
import type { UploadRows } from '../../sql/pages/files/upload-rows.ts';
import { createHistoryRows, type HistoryRows } from '../../sql/pages/history-rows.ts';
import { createPagePacker, type PagePacker } from '../../sql/pages/page-packer.ts';
import { createScrapeRows, type ScrapeLedger, type ScrapeRows } from '../../sql/pages/scrape-rows.ts';
import { createSiteMemoryRows } from '../../sql/pages/site-memory-rows.ts';
import { createStoredPages } from '../../sql/pages/stored/stored-pages.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase } from '../database/queries.ts';
import { createBodies } from './bodies.ts';
import { createEviction } from './eviction.ts';
import { createFeedRows } from './feed-rows.ts';
import { createFilePorts, type FilePorts } from './file-ports.ts';
import { hostCounters as hosts } from './host-counters.ts';

/** All but the sweep, which needs the removers of all areas. */
export type PagePorts = Pick<
  Store,
  'scrapes' | 'history' | 'stored' | 'sites' | 'chunkVectors' | 'feed' | 'archives' | 'profiles'
> & {
  files: FilePorts['files'];
  uploads: UploadRows<Uint8Array>;
  pages: Omit<Store['pages'], 'sweep'>;
};

/** For the transactions of other areas. */
export interface SharedPageRows {
  packer: PagePacker;
  bodies: Bodies;
  pages: Pick<CachedPageRows, 'write' | 'makeRoom'>;
  results: Pick<ResultRows, 'readContent'>;
  scrapes: Pick<ScrapeRows, 'addRow' | 'removeOfJob' | 'keep' | 'letGo'>;
  history: Pick<HistoryRows, 'write' | 'removeUrl'>;
  files: Pick<FileRows<object>, 'removeOfJob'>;
  /** Size of all cached pages. */
  cacheBytes(): Promise<number>;
}

interface PageParts {
  ports: PagePorts;
  rows: SharedPageRows;
  removers: Remover[];
}

export function createPageParts(base: Base, { ledger }: { ledger: ScrapeLedger }): PageParts {
  const { sealed: requests, limits } = base;
  const { transaction } = base.database;
  const database = createPostgresDatabase(base.database);
  const sealed = { seal: requests.sealLarge, open: requests.openLarge };
  const bodies = createBodies(base.database, base.blobs);
  // The content is about to be sent to the caller.
  const packer = createPagePacker({ bodies, keepsContent: true });
  const results = createResultRows(database, bodies);
  const feed = createFeedRows({ database: base.database, bodies, hosts });
  const eviction = createEviction({
    ...{ database, name: 'pages', maxBytes: limits.cacheMaxBytes, totalBytes: hosts.totalBytes },
  });
  const shared = { database, bodies, packer, results, hosts, sealed };
  const pages = createCachedPageRows({ ...shared, eviction, entries: feed });
  const history = createHistoryRows(shared);
  const scrapes = createScrapeRows({ ...shared, pages, ledger, history });
  const sites = createSiteMemoryRows(database);
  const chunkVectors = createChunkVectorRows(database);
  const members = createMemberRemoval({ sealed, scrapes });
  const { removers: fileRemovers, rows: files, ...filePorts } = createFilePorts({ base, database, bodies });
  return {
    ports: {
      pages: { ...pages, find: keepOutcomes(pages.find) },
      scrapes: { ...scrapes, find: async (...args) => openFound(await scrapes.find(...args)) },
      ...{
        history,
        feed,
        sites,
        chunkVectors,
        stored: createStoredPages({ ...shared, pages, history, members, sites, chunkVectors, urlKey }),
        ...filePorts,
      },
    },
    rows: { packer, bodies, pages, results, scrapes, history, files, cacheBytes: () => transaction(hosts.totalBytes) },
    removers: [
      scrapes.removeExpired,
      pages.removeExpired,
      results.removeDetached,
      pages.evict,
      sites.removeOldest,
      chunkVectors.removeOldest,
      ...fileRemovers,
    ],
  };
}

/** The same as the function of this name in the schema. */
const urlKey = (url: string): string =>
  url.length <= 900 ? url : url.slice(0, 868) + createHash('md5').update(url).digest('hex');
