// The store in PostgreSQL, which any number of processes share. Calls are shared by team, and an outage becomes an error.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { OWN_WORK } from '../../runtime/gate/gate.ts';
import { override, remotePort } from '../../runtime/threads/thread.ts';
import { assert } from '../../util/assert.ts';
import { createFileKeeper, createFileReceiver } from '../calls/file-receiver.ts';
import { createLateCharges } from '../calls/late-charges.ts';
import { shareCalls } from '../calls/shared-calls.ts';
import { createStoreHealth } from '../calls/store-health.ts';
import { prepareDataFolder } from '../data-folder/data-folder.ts';
import { type FolderLock, lockDataFolder } from '../data-folder/folder-lock.ts';
import { INCOMING_FOLDER, removeIncoming } from '../data-folder/incoming-files.ts';
import { createSealedRequests } from '../encoding/sealed-requests.ts';
import type { BlobStore } from '../ports/files/blob-store.ts';
import type { SharedLimits } from '../ports/limits/shared-limits.ts';
import type { Store } from '../ports/store.ts';
import type { Remover, Sweeper } from '../sql/database.ts';
import { createDeliveryQueue } from '../sql/deliveries/delivery-queue.ts';
import { createDocumentJson } from '../sql/jobs/document-json.ts';
import { createUsedKeys } from '../sql/used-keys.ts';
import type { Base } from './base.ts';
import { connect } from './database/database.ts';
import { asServiceError } from './database/faults.ts';
import { createPostgresDatabase } from './database/queries.ts';
import { createWatchdog, type Watchdog, type WatchdogTimes } from './database/watchdog.ts';
import { createJobParts } from './jobs/job-parts.ts';
import { createLimitParts } from './limits/limit-parts.ts';
import { type OpenObjects, openBlobs } from './open-blobs.ts';
import { createPageParts, type PagePorts } from './pages/page-parts.ts';
import { createSweeper } from './pages/sweep/sweeper.ts';
import { prepare } from './prepare.ts';
import { createProcessParts } from './processes/process-parts.ts';
import { createRunParts } from './runs/run-parts.ts';
import { createTeamParts } from './teams/team-parts.ts';
import { createPostgresWakeUps } from './wake-ups.ts';

export interface PostgresStoreOptions {
  url: string;
  secret: Uint8Array;
  /** For files on their way in. Each process has its own. */
  dataDir: string;
  /** False for a command that works beside the service of this folder, and receives no files. */
  lock?: boolean;
  cacheMaxBytes: number;
  filesMaxBytes?: number;
  connections?: number;
  /** Absent: large bodies are stored in the database, too. */
  openObjects?: OpenObjects;
  currentTeam?: () => string;
  watchdogTimes?: Partial<WatchdogTimes>;
  onWritable?: (problem: string | undefined) => void;
}

const CONNECTIONS = 10;
const LEAST_OWN_CALLS = 3;
const RELEASE_MS = 2_000;
/** About ten thousand screenshots. */
const FILES_MAX_BYTES = 10 * 1024 ** 3;

type StorePorts = Omit<Store, 'health' | 'wakeUps' | 'sharedLimits' | 'uploads' | 'files' | 'hurry' | 'close'> &
  Pick<PagePorts, 'uploads' | 'files'>;
type Ports = StorePorts & SharedLimits;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const {
    url,
    secret,
    connections = CONNECTIONS,
    openObjects,
    filesMaxBytes = FILES_MAX_BYTES,
    currentTeam = () => OWN_WORK.team,
    onWritable,
  } = options;
  const folderLock = (options.lock ?? true) ? takeFolder(options.dataDir) : undefined;
  const database = connect({ url, connections });
  const watchdog = createWatchdog({ database, times: options.watchdogTimes });
  let blobs: BlobStore;
  try {
    await prepare(database, secret, options.watchdogTimes);
    blobs = await openBlobs(database, openObjects && excused(openObjects, watchdog));
  } catch (error) {
    database.replace();
    await database.close();
    folderLock?.release();
    throw error;
  }
  const { sweeper, release, ...ports } = createPorts({
    database,
    blobs,
    secret,
    sealed: createSealedRequests(() => secret),
    limits: { cacheMaxBytes: options.cacheMaxBytes, filesMaxBytes },
  });
  const allPorts = { ...ports.store, ...ports.limits };
  const closing = new AbortController();
  const wakeUps = createPostgresWakeUps({ url });
  const health = createStoreHealth({
    probe: () => watchdog.probe(async () => void (await Promise.all([database.sql`SELECT 1`, blobs.probe()]))),
    onChange: onWritable,
  });
  const calls = shareCalls(
    (method, args) => watchdog.watch(() => methodOf(allPorts, method)(...args)),
    currentTeam,
    // The other half is for callers.
    Math.max(LEAST_OWN_CALLS, Math.floor(connections / 2)),
  );
  const shared = remotePort<Ports>(async (...call) => {
    if (closing.signal.aborted) throw new ServiceError('SERVICE_UNAVAILABLE');
    try {
      return await calls.send(...call);
    } catch (cause) {
      const error = asServiceError(cause);
      throw isOurs(error) ? error : health.noteFailure(error);
    }
  }) as Ports;

  return {
    // By name, because a port of calls has no properties of its own.
    ...(byName(shared, Object.keys(ports.store)) as StorePorts),
    sharedLimits: byName(shared, Object.keys(ports.limits)) as SharedLimits,
    health,
    wakeUps,
    ledger: override<Store['ledger']>(shared.ledger, {
      add: createLateCharges((charge) => shared.ledger.add(charge), health, closing.signal),
    }),
    uploads: override<Store['uploads']>(
      shared.uploads as unknown as Store['uploads'],
      createFileReceiver(options.dataDir, health, shared.uploads.attachFile),
    ),
    files: override<Store['files']>(shared.files as unknown as Store['files'], {
      write: createFileKeeper({ ...{ dataDir: options.dataDir, health }, filesMaxBytes }, shared.files.adopt),
    }),
    hurry: watchdog.hurry,
    async close() {
      watchdog.hurry();
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      health.close();
      const isCutOff = health.problem() !== undefined;
      if (isCutOff) database.replace();
      await Promise.all([sweeper.stop(), calls.settled()]);
      // Others take over at once; without this, they do when the leases end.
      if (!isCutOff) await Promise.race([release().catch(() => {}), wait(RELEASE_MS, undefined, { ref: false })]);
      await Promise.all([blobs.close(), wakeUps.close(), database.close()]);
      folderLock?.release();
    },
  };
}

/** Only with the lock is it known that nobody receives the files that are there: a killed process has left them. */
function takeFolder(dataDir: string): FolderLock {
  prepareDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  removeIncoming(join(dataDir, INCOMING_FOLDER));
  return lock;
}

/** A large file may take minutes on its way to the object store, and says nothing about the database. */
const excused =
  (openObjects: OpenObjects, { elsewhere }: Pick<Watchdog, 'elsewhere'>): OpenObjects =>
  async (isInUse) => {
    const objects = await openObjects(isInUse);
    return {
      ...objects,
      put: (...put) => elsewhere(() => objects.put(...put)),
      read: (name) => elsewhere(() => objects.read(name)),
      stream: (...part) => elsewhere(() => objects.stream(...part)),
      remove: (names) => elsewhere(() => objects.remove(names)),
      list: (...page) => elsewhere(() => objects.list(...page)),
    };
  };

const byName = (ports: Ports, names: string[]): Partial<Ports> =>
  Object.fromEntries(names.map((name) => [name, ports[name as keyof Ports]]));

interface Parts {
  store: StorePorts;
  limits: SharedLimits;
  sweeper: Sweeper;
  release(): Promise<void>;
}

function createPorts(base: Base): Parts {
  const removers: Remover[] = [];
  const sweeper = createSweeper(base, removers);
  const teams = createTeamParts(base);
  const pages = createPageParts(base, teams.ports);
  const database = createPostgresDatabase(base.database);
  const sealed = { seal: base.sealed.sealLarge, open: base.sealed.openLarge };
  const documentJson = createDocumentJson({ database, ...pages.rows });
  const shared = {
    ...{ database, sealed, ledger: teams.ports.ledger },
    deliveries: createDeliveryQueue(sealed),
    usedKeys: createUsedKeys(database),
  };
  const jobs = createJobParts(base, { ...shared, documentJson, pageRows: pages.rows, sweep: sweeper.sweep });
  const runs = createRunParts(base, { ...shared, documents: documentJson, ...pages.rows });
  const processes = createProcessParts(base);
  const limits = createLimitParts(base);
  const areas = [teams, pages, jobs, runs, limits];
  removers.push(...areas.flatMap((area) => area.removers));
  return {
    store: {
      ...{ ...teams.ports, ...pages.ports, ...jobs.ports, ...runs.ports, ...processes.ports },
      pages: { ...pages.ports.pages, sweep: sweeper.sweep },
    },
    limits: limits.ports,
    sweeper,
    release: runs.release,
  };
}

/** What a port says about its own call, such as PROFILE_TOO_LARGE, in contrast to what happened to the database. */
const isOurs = (error: unknown): boolean =>
  error instanceof ServiceError && error.code !== 'STORAGE_UNAVAILABLE' && error.code !== 'STORAGE_DAMAGED';

function methodOf(ports: object, name: string): (...args: readonly unknown[]) => Promise<unknown> {
  const [port = '', method = ''] = name.split('.');
  const found = (ports as Record<string, Record<string, unknown>>)[port]?.[method];
  assert(typeof found === 'function', `The store has no ${name}.`);
  return found as (...args: readonly unknown[]) => Promise<unknown>;
}
