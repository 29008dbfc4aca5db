// The embedded store as its thread hosts it: the connection, and the calls that the service may make.
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { diskFaultOf } from '../../runtime/sqlite/disk-fault.ts';
import { createEmptyLog } from '../../runtime/sqlite/empty-log.ts';
import { createConnection, type SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { Moved, type Served } from '../../runtime/threads/thread.ts';
import { DataFolderError, prepareDataFolder } from '../data-folder/data-folder.ts';
import { readSecret } from '../data-folder/data-secret.ts';
import { lockDataFolder } from '../data-folder/folder-lock.ts';
import { INCOMING_FOLDER, removeIncoming } from '../data-folder/incoming-files.ts';
import { createReserve, type Reserve } from '../data-folder/reserve.ts';
import { createSealedRequests } from '../encoding/sealed-requests.ts';
import type { Store } from '../ports/store.ts';
import type { Database, Remover, Sweeper } from '../sql/database.ts';
import type { IntactPage, KeptQuery } from '../sql/pages/cache/page-finder.ts';
import type { FileRows } from '../sql/pages/files/file-rows.ts';
import type { ProfileRows } from '../sql/pages/files/profile-rows.ts';
import type { UploadRows } from '../sql/pages/files/upload-rows.ts';
import type { FoundScrape } from '../sql/pages/scrape-rows.ts';
import { createSqliteDatabase } from './database/database.ts';
import { createDiskGuard, type DiskGuard, guardCalls } from './database/disk-guard.ts';
import { openDatabase } from './database/open-database.ts';
import type { SqliteJobs } from './jobs/job-ports.ts';
import { movedPage, movedResults } from './moved-answers.ts';
import type { ObjectPort } from './objects/object-rows.ts';
import type { Body } from './pages/bodies.ts';
import { createRows, type RowSettings, type Rows } from './rows.ts';
import { createSweeper } from './sweeper.ts';

export interface StoreThreadSettings extends RowSettings {
  secret?: Uint8Array;
  lock: boolean;
}

/**
 * What the service may call in this thread: the ports of a store, except for parts that touch files outside the
 * database.
 */
export interface StoreThread
  extends Omit<
    Store,
    | 'files'
    | 'jobs'
    | 'pages'
    | 'scrapes'
    | 'profiles'
    | 'uploads'
    | 'health'
    | 'wakeUps'
    | 'leases'
    | 'processes'
    | 'sessionPlaces'
  > {
  pages: Omit<Store['pages'], 'find'> & {
    find(query: KeptQuery): Promise<IntactPage | undefined>;
  };
  scrapes: Omit<Store['scrapes'], 'find'> & {
    find(...args: Parameters<Store['scrapes']['find']>): Promise<FoundScrape | undefined>;
  };
  jobs: Omit<Store['jobs'], 'add' | 'append'> & Pick<SqliteJobs, 'add' | 'append'>;
  /** Resolves once the data folder is open. If that fails, rejects with one sentence for people. */
  opened(): Promise<void>;
  /** Rejects unless the disk has space again for what the next calls will write. */
  probe(): Promise<void>;
  /** A file as it passes between threads: its bytes, or where a large one is. */
  files: Pick<FileRows<{ body: Body }>, 'add' | 'adopt' | 'renew' | 'find'>;
  profiles: ProfileRows;
  uploads: Pick<UploadRows<Body>, 'add' | 'find' | 'attachFile' | 'read' | 'remove'>;
  objects: ObjectPort;
}

const RESERVE_AFTER_MS = 5_000;

/** If the folder is in use, not writable or unreadable, throws one sentence for people. */
export function hostStore(settings: StoreThreadSettings): Served<StoreThread> {
  try {
    return openDataFolder(settings);
  } catch (cause) {
    if (diskFaultOf(cause) !== 'damaged') throw cause;
    throw new DataFolderError(
      `The database ${join(settings.dataDir, 'store.db')} is damaged (${(cause as Error).message}). Run \`trawl doctor\`. Then restore a backup (\`trawl restore\`), or move the data folder away to start with an empty one.`,
      { cause },
    );
  }
}

function openDataFolder({ lock, secret, ...settings }: StoreThreadSettings): Served<StoreThread> {
  const { dataDir } = settings;
  prepareDataFolder(dataDir);
  const folderLock = lock ? lockDataFolder(dataDir) : undefined;
  // Refused before anything is read or written with another one.
  if (secret) readSecret(dataDir, secret);
  const reserve = createReserve(dataDir);
  const sealed = createSealedRequests(() => readSecret(dataDir));
  const connection = createConnection(openWithReserve(join(dataDir, 'store.db'), folderLock && reserve));
  const database = createSqliteDatabase(connection);
  const removers: Remover[] = [];
  const sweeper = createSweeper(removers, createEmptyLog(connection));
  const rows = createRows({ connection, database, sealed, sweep: sweeper.sweep }, settings);
  removers.push(...rows.removers);
  // Next to a running service, nothing of it may be given up.
  const evictors = folderLock ? rows.evictors : [];
  const guard = createDiskGuard({ reserve, evictors, ...rows.upkeep });
  let refill: NodeJS.Timeout | undefined;
  if (folderLock) {
    checkObjects(rows, settings);
    // Only with the lock: next to a running service, a file without a row may still be being written.
    connection.attempt(() => rows.bodies.removeOrphans());
    if (settings.objects) rows.objects.findFiles();
    removeIncoming(join(dataDir, INCOMING_FOLDER));
    // Not at once, because the first start should be quick.
    refill = setTimeout(guard.refill, RESERVE_AFTER_MS).unref();
  }
  // Next to a running service, claims may be alive.
  const released = folderLock ? releaseAll(database, rows) : undefined;
  const release = () => {
    clearTimeout(refill);
    folderLock?.release();
  };
  const guarded = guardCalls(hostRows(connection, rows, guard, { sweeper, released, release }), guard);
  // Calls can read what is in the object store.
  return rows.fetcher ? guardCalls(guarded, rows.fetcher) : guarded;
}

function checkObjects({ objects }: Rows, settings: RowSettings): void {
  if (settings.objects || !objects.port.isInUse()) return;
  throw new DataFolderError(
    `Large contents of the data folder ${settings.dataDir} are in an object store. Set TRAWL_BLOBS_URL as it was when they were stored.`,
  );
}

/** Opening takes a little space, too. */
function openWithReserve(file: string, reserve: Reserve | undefined): DatabaseSync {
  try {
    return openDatabase(file);
  } catch (error) {
    if (!reserve || diskFaultOf((error as Error).cause) !== 'full') throw error;
  }
  reserve.drop();
  return openDatabase(file);
}

/** What the last process had claimed can be claimed again. */
async function releaseAll(database: Database, { queue, runQueue, deliveries, mails, siem }: Rows): Promise<void> {
  for (const claims of [queue, runQueue, deliveries, mails, siem]) await database.attempt(claims.releaseAll);
}

interface Folder {
  sweeper: Sweeper;
  /** Resolves when the claims of the last process are released. */
  released: Promise<void> | undefined;
  release(): void;
}

function hostRows(
  connection: SqliteConnection,
  rows: Rows,
  guard: DiskGuard,
  { sweeper, released, release }: Folder,
): Served<StoreThread> {
  const { pages, jobs, queue, deliveries, deliveryLog, feed, files } = rows;
  return {
    opened: () => released,
    probe: guard.probe,
    teams: rows.teams,
    ledger: rows.ledger,
    audit: rows.audit,
    onboarding: rows.onboarding,
    consoleSessions: rows.consoleSessions,
    threatPolicies: rows.threatPolicies,
    siem: rows.siem,
    scrapes: {
      ...rows.scrapes,
      async find(...args) {
        const scrape = await rows.scrapes.find(...args);
        return scrape && new Moved(scrape, [scrape.stored.buffer]);
      },
    },
    pages: {
      ...pages,
      find: movedPage(pages),
      sweep: sweeper.sweep,
    },
    jobs: { ...jobs, results: movedResults(jobs) },
    queue,
    runs: rows.runs,
    runQueue: rows.runQueue,
    monitors: rows.monitors,
    collections: rows.collections,
    deliveries: {
      ...deliveries,
      async due(now, limit) {
        const due = await deliveries.due(now, limit);
        const buffers = due.map(({ body }) => body.buffer);
        return new Moved(due, buffers);
      },
    },
    deliveryLog: {
      ...deliveryLog,
      async find(id, teamId) {
        const found = await deliveryLog.find(id, teamId);
        return found?.body ? new Moved(found, [found.body.buffer]) : found;
      },
    },
    feed: {
      ...feed,
      async after(change, limit) {
        const changes = await feed.after(change, limit);
        const buffers = changes.flatMap(({ entry }) => (entry ? [entry.buffer as ArrayBuffer] : []));
        return new Moved(changes, buffers);
      },
    },
    feedback: rows.feedback,
    backlog: rows.backlog,
    notes: rows.notes,
    mails: rows.mails,
    programs: rows.programs,
    sites: rows.sites,
    chunkVectors: rows.chunkVectors,
    history: {
      ...rows.history,
      async find(key) {
        const seen = await rows.history.find(key);
        return seen && new Moved(seen, [seen.version.buffer as ArrayBuffer]);
      },
    },
    stored: rows.stored,
    files: {
      ...files,
      async find(id, now) {
        const file = await files.find(id, now);
        // Bytes read from a row have their own buffer.
        return file && 'bytes' in file.body ? new Moved(file, [file.body.bytes.buffer as ArrayBuffer]) : file;
      },
    },
    archives: {
      ...rows.archives,
      async payload(id) {
        const bytes = await rows.archives.payload(id);
        return bytes && new Moved(bytes, [bytes.buffer as ArrayBuffer]);
      },
    },
    profiles: rows.profiles,
    uploads: rows.uploads,
    objects: rows.objects.port,
    onRest: connection.releaseMemory,
    async close() {
      await sweeper.stop();
      connection.close();
      release();
    },
  };
}
