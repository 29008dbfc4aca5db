// The rows of a data folder, made on one connection in the order in which they build on each other.
import { join } from 'node:path';
import type { Connection } from '../../util/sqlite.ts';
import type { SealedRequests } from '../encoding/sealed-requests.ts';
import { createBlobFolder } from '../fs/blob-folder.ts';
import { readSecret } from '../fs/data-secret.ts';
import type { Notes } from '../notes.ts';
import type { S3Settings } from '../s3/s3-settings.ts';
import type { Database } from '../sql/database.ts';
import { createTeamPorts } from '../sql/teams/team-ports.ts';
import { createCallSource } from '../sql/deliveries/call-source.ts';
import { createDeliveryLogRows } from '../sql/deliveries/delivery-log-rows.ts';
import { createDeliveryRows } from '../sql/deliveries/delivery-rows.ts';
import { createMailRows } from '../sql/mails/mail-rows.ts';
import { createBacklogRows } from './backlog-rows.ts';
import { createBodies } from './bodies.ts';
import { createCachedPageRows } from './cached-page-rows.ts';
import { createCharges } from './charges.ts';
import { createDeliveryRows } from './deliveries/delivery-rows.ts';
import { createDeliveryRows as createSyncDeliveryRows } from './deliveries/delivery-rows.ts';
import type { Evict } from './disk-guard.ts';
import { createFeedRows } from './feed-rows.ts';
import { createFileRows } from './file-rows.ts';
import { watchFreeSpace } from './free-space.ts';
import { createHistoryRows } from './history-rows.ts';
import { createDocumentJson } from './jobs/document-json.ts';
import { createJobPorts } from './jobs/job-ports.ts';
import { createLedgerRows } from './ledger-rows.ts';
import { createMonitorPorts } from './monitors/monitor-ports.ts';
import { createWatchedPageRows } from './monitors/page-rows.ts';
import { createNoteRows } from './note-rows.ts';
import { type BodyFetcher, createBodyFetcher } from './objects/fetch-bodies.ts';
import { createObjectRows } from './objects/object-rows.ts';
import { createProfileRows } from './profile-rows.ts';
import { createResultRows, GRACE_MS } from './result-rows.ts';
import { createRunPorts, type RunPortsDeps } from './runs/run-ports.ts';
import { createScrapeRows } from './scrape-rows.ts';
import { createHostRows } from './stored/host-rows.ts';
import { createStoredPages } from './stored/stored-pages.ts';
import { createUploadRows } from './upload-rows.ts';
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
  const { dataDir, cacheMaxBytes, filesMaxBytes, minFreeBytes } = settings;
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
  const files = createFileRows({ connection, bodies }, filesMaxBytes);
  const profiles = createProfileRows({ connection, bodies, readSecret: () => readSecret(dataDir) });
  const uploads = createUploadRows({ connection, bodies });
  const documentJson = createDocumentJson(connection, results);
  const { deliveries, deliveryLog } = createDeliveryParts({ database, documentJson, fetcher, sealed });
  const deliveryQueue = createSyncDeliveryRows(connection, sealed);
  const usedKeys = createUsedKeys(connection);
  const mails = createMailRows(database, sealed);
  const { removers: jobRemovers, ...jobPorts } = createJobPorts({
    ...{ connection, documentJson, deliveries: deliveryQueue, usedKeys, pages, scrapes, ledger, history, sealed },
  });
  const { removers: runRemovers, ...runPorts } = createRunParts({
    connection,
    sealed,
    deliveries: deliveryQueue,
    ledger,
    usedKeys,
  });
  const removers = [
    scrapes.removeExpired,
    ...teams.removers,
    ...jobRemovers,
    ...runRemovers,
    deliveryLog.removeOld,
    usedKeys.removeOld,
    mails.removeDone,
    pages.removeExpired,
    results.removeDetached,
    pages.evict,
    files.removeExpired,
    files.evict,
    uploads.removeExpired,
  ];
  const evictors: Evict[] = [
    (limit) => pages.discard(limit) + results.removeDetached(GRACE_MS, limit),
    files.discard,
    scrapes.discard,
  ];
  return {
    backlog: createBacklogRows(connection, pages.totalBytes),
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
    deliveries,
    deliveryLog,
    ...runPorts,
    mails,
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

/** What the guard of the disk does when there may be space again. */
function createUpkeep(connection: Connection, notes: Pick<Notes, 'write'>) {
  const checkpoint = connection.prepare('PRAGMA wal_checkpoint(RESTART)');
  return { checkpoint: () => void checkpoint.get(), touch: () => notes.write('probe', '') };
}

interface DeliveryPartsDeps extends Pick<RowsDeps, 'database' | 'sealed'> {
  documentJson: ReturnType<typeof createDocumentJson>;
  fetcher: BodyFetcher | undefined;
}

function createDeliveryParts({ database, documentJson, fetcher, sealed }: DeliveryPartsDeps) {
  const documents = {
    // A call is not handed out twice, so only the document is read again when its body is there.
    ofScrape: (id: string) => (fetcher ? fetcher.run(() => documentJson.ofScrape(id)) : documentJson.ofScrape(id)),
  };
  const calls = { database, sealed, callsOf: createCallSource({ database, documents, sealed }) };
  return { deliveries: createDeliveryRows(calls), deliveryLog: createDeliveryLogRows(calls) };
}

function createRunParts(deps: Omit<RunPortsDeps, 'removeDependents'>) {
  const pages = createWatchedPageRows(deps.connection, deps.sealed);
  const { rows, removeExpired, ...ports } = createRunPorts({ ...deps, removeDependents: pages.removeOfRun });
  const { monitors, removers } = createMonitorPorts({ ...deps, runs: rows, pages });
  return { ...ports, monitors, removers: [removeExpired, ...removers] };
}
