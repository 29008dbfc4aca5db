// The rows of a data folder, made on one connection in the order in which they build on each other.
import { join } from 'node:path';
import type { Connection } from '../../util/sqlite.ts';
import { compressionAtOnce } from '../encoding/compress.ts';
import type { SealedRequests } from '../encoding/sealed-requests.ts';
import { createBlobFolder } from '../fs/blob-folder.ts';
import { readSecret } from '../fs/data-secret.ts';
import type { Notes } from '../notes.ts';
import type { S3Settings } from '../s3/s3-settings.ts';
import type { Database } from '../sql/database.ts';
import { createDeliveryQueue } from '../sql/deliveries/delivery-queue.ts';
import type { RemoveOldest } from '../sql/pages/eviction.ts';
import { createFileRows } from '../sql/pages/files/file-rows.ts';
import { createProfileRows } from '../sql/pages/files/profile-rows.ts';
import { createUploadRows } from '../sql/pages/files/upload-rows.ts';
import { createRunParts } from '../sql/runs/run-parts.ts';
import { createTeamPorts } from '../sql/teams/team-ports.ts';
import { createUsedKeys as createSharedUsedKeys } from '../sql/used-keys.ts';
import { type Body, createBodies, createBodies } from './bodies.ts';
import { createSqliteBodies, type SqliteBodies } from './body-columns.ts';
import { createCachedPageRows } from './cached-page-rows.ts';
import { createCharges } from './charges.ts';
import { createDeliveryRows } from './deliveries/delivery-rows.ts';
import type { Evict } from './disk-guard.ts';
import { createEviction } from './eviction.ts';
import { createFeedRows } from './feed-rows.ts';

import { watchFreeSpace } from './free-space.ts';
import { createHistoryRows } from './history-rows.ts';
import { createDocumentJson } from './jobs/document-json.ts';
import { createJobPorts } from './jobs/job-ports.ts';
import { createLedgerRows } from './ledger-rows.ts';
import { createNoteRows } from './note-rows.ts';
import { createBodyFetcher } from './objects/fetch-bodies.ts';
import { createObjectRows } from './objects/object-rows.ts';

import { createResultRows, GRACE_MS } from './result-rows.ts';
import { createScrapeRows } from './scrape-rows.ts';
import { createHostRows } from './stored/host-rows.ts';
import { createStoredPages } from './stored/stored-pages.ts';

import { createUsedKeys } from './used-keys.ts';

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
  connection: Connection;
  /** The same connection, for what is written once for both dialects. */
  database: Database;
  sealed: SealedRequests;
}

export function createRows({ connection, database, sealed }: RowsDeps, settings: RowSettings) {
  const { dataDir, cacheMaxBytes, minFreeBytes } = settings;
  const { bodies, objects, fetcher } = createBodyParts(connection, settings);
  const results = createResultRows(connection, bodies);
  const teams = createTeamPorts({ database, sealed, charges: createCharges() });
  const ledger = createLedgerRows(connection);
  const notes = createNoteRows(connection);
  const hosts = createHostRows(connection);
  const feed = createFeedRows({ connection, bodies, notes, hosts });
  const shortage = watchFreeSpace(dataDir, connection, minFreeBytes);
  const pages = createCachedPageRows(
    { connection, bodies, results, feed, hosts },
    { maxBytes: cacheMaxBytes, shortage },
  );
  const history = createHistoryRows({ connection, bodies, hosts });
  const scrapes = createScrapeRows({ connection, results, pages, ledger, history, sealed });
  const { files, profiles, uploads } = createFileParts(
    { connection, database, bodies: createSqliteBodies(bodies) },
    settings,
  );
  const documentJson = createDocumentJson(connection, results);
  const deliveries = createDeliveryRows(connection);
  const usedKeys = createUsedKeys(connection);
  const { removers: jobRemovers, ...jobPorts } = createJobPorts({
    ...{ connection, documentJson, deliveries, usedKeys, pages, scrapes, ledger, history, sealed },
  });
  const runParts = createRunParts({
    ...{ database, sealed, usedKeys: createSharedUsedKeys(database), deliveries: createDeliveryQueue(sealed) },
    // A call is not handed out twice, so only the document is read again when its body is there.
    documents: {
      ofScrape: (id) => (fetcher ? fetcher.run(() => documentJson.ofScrape(id)) : documentJson.ofScrape(id)),
    },
    ledger: teams.ports.ledger,
    sizes: { cacheBytes: pages.totalBytes, storeBytes: () => databaseSize(connection) },
  });
  const removers = [
    scrapes.removeExpired,
    ...teams.removers,
    ...jobRemovers,
    ...runParts.removers,
    usedKeys.removeOld,
    pages.removeExpired,
    results.removeDetached,
    pages.evict,
    files.removeExpired,
    files.evict,
    uploads.removeExpired,
  ];
  const evictors: Evict[] = [
    (limit) => pages.discard(limit) + results.removeDetached(GRACE_MS, limit),
    oldestOf(database, files.removeOldest),
    scrapes.discard,
  ];
  return {
    bodies,
    objects,
    fetcher,
    ...teams.ports,
    feed,
    pages,
    scrapes,
    history,
    stored: createStoredPages({ connection, bodies, hosts, pages, history }),
    files,
    profiles,
    uploads,
    ...jobPorts,
    ...runParts.ports,
    removers,
    evictors,
    upkeep: createUpkeep(connection, teams.ports.notes),
  };
}

function createBodyParts(connection: Connection, settings: RowSettings) {
  const blobs = createBlobFolder(join(settings.dataDir, 'blobs'));
  const objects = createObjectRows(connection, blobs);
  const { largestRowBytes } = settings;
  return {
    objects,
    fetcher: settings.objects && createBodyFetcher(settings.objects, objects),
    bodies: createBodies(connection, blobs, { ...(settings.objects && { objects }), largestRowBytes }),
  };
}

interface FilePartsDeps {
  connection: Connection;
  database: Database;
  bodies: SqliteBodies;
}

function createFileParts({ connection, database, bodies }: FilePartsDeps, { dataDir, filesMaxBytes }: RowSettings) {
  const limit = { connection, database, table: 'files', maxBytes: filesMaxBytes } as const;
  return {
    files: createFileRows<{ body: Body }>({
      ...{ database, bodies, createEviction: (removeOldest) => createEviction(limit, removeOldest) },
      open: (columns, size) => {
        const body = bodies.locate(columns, size);
        return body && { body };
      },
    }),
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
function createUpkeep(connection: Connection, notes: Pick<Notes, 'write'>) {
  const checkpoint = connection.prepare('PRAGMA wal_checkpoint(RESTART)');
  return { checkpoint: () => void checkpoint.get(), touch: () => notes.write('probe', '') };
}

function databaseSize(connection: Connection): number {
  const size = connection.prepare<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return size.get()!.bytes;
}
