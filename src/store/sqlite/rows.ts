// The rows of a data folder, made on one connection in the order in which they build on each other.
import { join } from 'node:path';
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { createBlobFolder } from '../blobs/blob-folder.ts';
import type { S3Settings } from '../blobs/s3/s3-settings.ts';
import { readSecret } from '../data-folder/data-secret.ts';
import { compressionAtOnce } from '../encoding/compress.ts';
import type { SealedRequests } from '../encoding/sealed-requests.ts';
import type { Notes } from '../ports/notes.ts';
import { createMemberRemoval } from '../sql/collections/member-removal.ts';
import type { Database } from '../sql/database.ts';
import { createDeliveryQueue } from '../sql/deliveries/delivery-queue.ts';
import { createDocumentJson } from '../sql/jobs/document-json.ts';
import { createCachedPageRows } from '../sql/pages/cache/cached-page-rows.ts';
import { createResultRows, GRACE_MS } from '../sql/pages/cache/result-rows.ts';
import { createChunkVectorRows } from '../sql/pages/chunk-vector-rows.ts';
import type { RemoveOldest } from '../sql/pages/eviction.ts';
import { createArchiveRows } from '../sql/pages/files/archive-rows.ts';
import { createFileRows } from '../sql/pages/files/file-rows.ts';
import { createProfileRows } from '../sql/pages/files/profile-rows.ts';
import { createUploadRows } from '../sql/pages/files/upload-rows.ts';
import { createHistoryRows } from '../sql/pages/history-rows.ts';
import { createPagePacker } from '../sql/pages/page-packer.ts';
import { createScrapeRows, type ScrapeLedger } from '../sql/pages/scrape-rows.ts';
import { createSiteMemoryRows } from '../sql/pages/site-memory-rows.ts';
import { createStoredPages } from '../sql/pages/stored/stored-pages.ts';
import { createRunParts } from '../sql/runs/run-parts.ts';
import { createTeamPorts } from '../sql/teams/team-ports.ts';
import { createUsedKeys } from '../sql/used-keys.ts';
import type { Evict } from './database/disk-guard.ts';
import { watchFreeSpace } from './database/free-space.ts';
import { createJobPorts } from './jobs/job-ports.ts';
import { createBodyFetcher } from './objects/fetch-bodies.ts';
import { createObjectRows } from './objects/object-rows.ts';
import { type Body, createBodies } from './pages/bodies.ts';
import { createSqliteBodies, type SqliteBodies } from './pages/body-columns.ts';
import { createEviction } from './pages/eviction.ts';
import { createFeedRows } from './pages/feed-rows.ts';
import { hostCounters as hosts } from './pages/host-counters.ts';
import { createCharges } from './teams/charges.ts';

export interface RowSettings {
  dataDir: string;
  cacheMaxBytes: number;
  filesMaxBytes: number;
  minFreeBytes: number;
  /** Where large bodies are moved to. Absent: they stay in the data folder. */
  objects?: S3Settings;
  /** Larger bodies are files. */
  largestRowBytes?: number;
}

export type Rows = ReturnType<typeof createRows>;

export interface RowsDeps {
  connection: SqliteConnection;
  /** The same connection, for what is written once for both dialects. */
  database: Database;
  sealed: SealedRequests;
  /** Removes what has expired. */
  sweep(now: number): Promise<void>;
}

export function createRows({ connection, database, sealed, sweep }: RowsDeps, settings: RowSettings) {
  const { bodies: stored, objects, fetcher } = createBodyParts(connection, settings);
  const bodies = createSqliteBodies(stored);
  const teams = createTeamPorts({ database, sealed, charges: createCharges() });
  const { ledger } = teams.ports;
  const { results, packer, eviction, ...pageRows } = createPageParts(
    { connection, database, bodies, sealed, ledger },
    settings,
  );
  const { pages, scrapes } = pageRows;
  const { files, archives, profiles, uploads } = createFileParts({ connection, database, bodies }, settings);
  const documentJson = createDocumentJson({ database, bodies, results });
  const shared = {
    ...{ database, sealed, ledger },
    deliveries: createDeliveryQueue(sealed),
    usedKeys: createUsedKeys(database),
  };
  const { removers: jobRemovers, ...jobPorts } = createJobPorts({
    ...{ ...shared, documentJson, pageRows: { ...pageRows, packer, files }, sweep },
  });
  const runParts = createRunParts({
    ...shared,
    // A call is not handed out twice, so only the document is read again when its body is there.
    documents: {
      ofScrape: (id) => (fetcher ? fetcher.run(() => documentJson.ofScrape(id)) : documentJson.ofScrape(id)),
    },
    scrapes,
    sizes: { cacheBytes: eviction.totalBytes, storeBytes: () => databaseSize(connection) },
  });
  const removers = [
    scrapes.removeExpired,
    ...teams.removers,
    ...jobRemovers,
    ...runParts.removers,
    pages.removeExpired,
    results.removeDetached,
    pages.evict,
    pageRows.sites.removeOldest,
    pageRows.chunkVectors.removeOldest,
    files.removeExpired,
    files.evict,
    archives.removeExpired,
    archives.evict,
    uploads.removeExpired,
  ];
  const discardPages = oldestOf(database, pages.removeOldest);
  const evictors: Evict[] = [
    async (limit) => pageRows.chunkVectors.discard(limit),
    async (limit) => (await discardPages(limit)) + (await results.removeDetached(GRACE_MS, limit)),
    oldestOf(database, files.removeOldest),
    archives.discard,
    scrapes.discard,
  ];
  return {
    bodies: stored,
    objects,
    fetcher,
    ...teams.ports,
    ...pageRows,
    files,
    archives,
    profiles,
    uploads,
    ...jobPorts,
    ...runParts.ports,
    removers,
    evictors,
    upkeep: createUpkeep(connection, teams.ports.notes),
  };
}

function createBodyParts(connection: SqliteConnection, settings: RowSettings) {
  const blobs = createBlobFolder(join(settings.dataDir, 'blobs'));
  const objects = createObjectRows(connection, blobs);
  const { largestRowBytes } = settings;
  return {
    objects,
    fetcher: settings.objects && createBodyFetcher(settings.objects, objects),
    bodies: createBodies(connection, blobs, { ...(settings.objects && { objects }), largestRowBytes }),
  };
}

interface PagePartsDeps extends FilePartsDeps {
  sealed: SealedRequests;
  ledger: ScrapeLedger;
}

function createPageParts(deps: PagePartsDeps, { dataDir, cacheMaxBytes, minFreeBytes }: RowSettings) {
  const { connection, database, bodies, sealed, ledger } = deps;
  // What comes from the service is a copy of its own.
  const packer = createPagePacker({ bodies, keepsContent: false });
  const results = createResultRows(database, bodies);
  const feed = createFeedRows({ database, bodies, hosts });
  const shortage = watchFreeSpace(dataDir, connection, minFreeBytes);
  const eviction = createEviction({ connection, database, table: 'pages', maxBytes: cacheMaxBytes, shortage });
  const shared = { database, bodies, packer, results, hosts, sealed };
  const pages = createCachedPageRows({ ...shared, eviction, entries: feed });
  const history = createHistoryRows(shared);
  const scrapes = createScrapeRows({ ...shared, pages, ledger, history });
  const sites = createSiteMemoryRows(database);
  const chunkVectors = createChunkVectorRows(database);
  const members = createMemberRemoval({ sealed, scrapes });
  const stored = createStoredPages({ ...shared, pages, history, members, sites, chunkVectors, urlKey: (url) => url });
  return { results, feed, pages, history, scrapes, stored, sites, chunkVectors, packer, eviction };
}

interface FilePartsDeps {
  connection: SqliteConnection;
  database: Database;
  bodies: SqliteBodies;
}

function createFileParts({ connection, database, bodies }: FilePartsDeps, { dataDir, filesMaxBytes }: RowSettings) {
  return {
    files: createFileRows<{ body: Body }>({
      ...{ database, bodies },
      eviction: createEviction({ connection, database, table: 'files', maxBytes: filesMaxBytes }),
      open: (columns, size) => {
        const body = bodies.locate(columns, size);
        return body && { body };
      },
    }),
    archives: createArchiveRows({ database, bodies, maxBytes: filesMaxBytes }),
    profiles: createProfileRows({
      ...{ database, bodies, compression: compressionAtOnce, readSecret: () => readSecret(dataDir) },
    }),
    uploads: createUploadRows({ database, bodies, open: bodies.locate }),
  };
}

/** What can be spared, whatever the limits. Results are not kept for a later scrape. */
const oldestOf =
  (database: Database, removeOldest: RemoveOldest): Evict =>
  async (limit) =>
    (await database.transaction((tx) => removeOldest(tx, { limit, bytes: Number.POSITIVE_INFINITY }, 0))).entries;

/** What the guard of the disk does when there may be space again. */
function createUpkeep(connection: SqliteConnection, notes: Pick<Notes, 'write'>) {
  const checkpoint = connection.prepare('PRAGMA wal_checkpoint(RESTART)');
  return { checkpoint: () => void checkpoint.get(), touch: () => notes.write('probe', '') };
}

function databaseSize(connection: SqliteConnection): number {
  const size = connection.prepare<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return size.get()!.bytes;
}
