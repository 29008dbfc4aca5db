// The embedded store as the service sees it: every call goes to the store thread and back.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { OWN_WORK } from '../../runtime/gate/gate.ts';
import {
  Moved,
  override,
  remotePort,
  startThread,
  type Thread,
  type ThreadOptions,
} from '../../runtime/threads/thread.ts';
import { createLateCharges } from '../calls/late-charges.ts';
import { createLocalWakeUps } from '../calls/local-wake-ups.ts';
import { shareCalls } from '../calls/shared-calls.ts';
import { createStoreHealth } from '../calls/store-health.ts';
import { createOneProcess, createOwnLeases, createOwnSessions } from '../in-memory/one-process.ts';
import type { Store } from '../ports/store.ts';
import type { StoreThread, StoreThreadSettings } from './hosted-store.ts';
import { type PackedParts, packTasks } from './jobs/task-parts.ts';
import { OBJECTS_FAILED } from './objects/fetch-bodies.ts';
import { type ObjectStoreOptions, openObjectStore } from './objects/open-object-store.ts';
import { createFilePorts } from './pages/file-ports.ts';
import { createPagePorts, type Prepare } from './pages/page-ports.ts';
import type { ReadThreadSettings } from './reads/hosted-reads.ts';
import { readBeside } from './reads/reads-beside.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  cacheMaxBytes: number;
  /** Limit for all downloadable files together; the oldest are removed first. */
  filesMaxBytes?: number;
  /** Cached pages are evicted while the disk has less free space than this. */
  minFreeBytes?: number;
  /** The operator's own; must be that of the folder. A new folder takes it. */
  secret?: Uint8Array;
  /** False lets a command read the folder of a running service. Such a store must not touch the cache. */
  lock?: boolean;
  /** Who the current work is for: the thread is shared by team. */
  currentTeam?: () => string;
  /** The thread has died and all later calls will fail, so the service should end. */
  onCrash?: (error: Error) => void;
  /** Called when writing becomes impossible, with the reason, and without one when it works again. */
  onWritable?: (problem: string | undefined) => void;
  /** Where large bodies are moved to. Absent: they stay in the data folder. */
  objects?: ObjectStoreOptions;
  largestRowBytes?: number;
  /** Starts the threads of the store. */
  start?: (entry: URL, options: StoreThreadOptions) => Thread;
}

export interface StoreThreadOptions extends Pick<ThreadOptions, 'onCrash'> {
  workerData: StoreThreadSettings | ReadThreadSettings;
}

export const STORE_THREAD = new URL('./store-thread.ts', import.meta.url);
export const READ_THREAD = new URL('./reads/read-thread.ts', import.meta.url);

/** About ten thousand screenshots. */
const FILES_MAX_BYTES = 10 * 1024 ** 3;

/** If the folder is in use, not writable or unreadable, rejects with one sentence for people. */
export async function openSqliteStore({
  lock = true,
  filesMaxBytes = FILES_MAX_BYTES,
  minFreeBytes = 0,
  currentTeam = () => OWN_WORK.team,
  onCrash,
  onWritable,
  objects,
  start = startThread,
  ...options
}: SqliteStoreOptions): Promise<Store> {
  let state: 'opening' | 'open' | 'crashed' | 'closed' = 'opening';
  const thread = start(STORE_THREAD, {
    workerData: { ...options, filesMaxBytes, minFreeBytes, lock, objects: objects?.settings },
    onCrash: (error) => {
      if (state !== 'open') return;
      state = 'crashed';
      onCrash?.(error);
    },
  });
  const direct = remotePort<StoreThread>(thread.call);
  const orEnd = async (error: unknown): Promise<never> => {
    await thread.terminate();
    throw error;
  };
  await direct.opened().catch(orEnd);
  const objectStore = objects && (await openObjectStore(objects, direct.objects).catch(orEnd));
  state = 'open';

  const closing = new AbortController();
  const health = createStoreHealth({ probe: direct.probe, onChange: onWritable });
  const { dataDir } = options;
  const reads = readBeside(thread, (onCrash) => start(READ_THREAD, { workerData: { dataDir }, onCrash }));
  const calls = shareCalls(reads.send, currentTeam);
  // Errors lose their class between threads; callers always get a ServiceError.
  const remote = remotePort<StoreThread>(async (...call) => {
    if (state === 'closed') throw new ServiceError('SERVICE_UNAVAILABLE');
    try {
      return await calls.send(...call);
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string };
      // The disk is well: everything else works.
      if (code === OBJECTS_FAILED) throw new ServiceError('STORAGE_UNAVAILABLE', { message, cause });
      throw health.noteFailure(cause);
    }
  });

  /** Arguments of calls that are still being made ready. Closing waits for these calls as for all others. */
  const preparing = new Set<Promise<unknown>>();
  const prepared: Prepare = (work) => {
    const done = work.finally(() => preparing.delete(done));
    preparing.add(done);
    return done;
  };

  return {
    health,
    teams: remote.teams,
    ledger: override<Store['ledger']>(remote.ledger, {
      add: createLateCharges((charge) => remote.ledger.add(charge), health, closing.signal),
    }),
    audit: remote.audit,
    onboarding: remote.onboarding,
    consoleSessions: remote.consoleSessions,
    threatPolicies: remote.threatPolicies,
    siem: remote.siem,
    ...createPagePorts(remote, prepared),
    jobs: override<Store['jobs']>(remote.jobs as unknown as Store['jobs'], {
      async add({ tasks, ...job }) {
        const parts = await prepared(packTasks(tasks));
        return remote.jobs.add(job, new Moved(parts, buffersOf(parts)));
      },
      async append(id, teamId, { tasks, ...more }) {
        const parts = await prepared(packTasks(tasks));
        return remote.jobs.append(id, teamId, more, new Moved(parts, buffersOf(parts)));
      },
    }),
    runs: remote.runs,
    runQueue: remote.runQueue,
    ...{ monitors: remote.monitors, collections: remote.collections },
    deliveries: remote.deliveries,
    deliveryLog: remote.deliveryLog,
    feed: remote.feed,
    notes: remote.notes,
    mails: remote.mails,
    programs: remote.programs,
    feedback: remote.feedback,
    backlog: remote.backlog,
    wakeUps: createLocalWakeUps(),
    processes: createOneProcess(),
    leases: createOwnLeases(),
    sessionPlaces: createOwnSessions(),
    ...createFilePorts({ remote, dataDir, filesMaxBytes, health, blobs: objectStore?.blobs }),
    async close() {
      await Promise.allSettled(preparing);
      const wasOpen = state === 'open';
      state = 'closed';
      health.close();
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await Promise.all([calls.settled(), objectStore?.close()]);
      await reads.close();
      if (wasOpen) await direct.close().finally(() => thread.terminate());
    },
  };
}

const buffersOf = (parts: PackedParts) => parts.map(({ buffer }) => buffer);
