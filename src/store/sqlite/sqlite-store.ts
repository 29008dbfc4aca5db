// The embedded store as the service sees it: every call goes to the store thread and back.
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ServiceError } from '../../contracts/errors.ts';
import { MAX_PROFILE_BYTES } from '../../contracts/profile.ts';
import { OWN_WORK } from '../../util/gate/gate.ts';
import { Moved, override, type Remote, remotePort, startThread } from '../../util/thread.ts';
import type { StoredFile } from '../file-store.ts';
import { createIncoming, INCOMING_FOLDER } from '../fs/incoming-files.ts';
import type { Store } from '../store.ts';
import type { Body } from './bodies.ts';
import { asServiceError } from './disk-guard.ts';
import { packTasks, type TaskParts } from './jobs/job-start/task-parts.ts';
import { createLateCharges } from './late-charges.ts';
import { createPagePorts } from './page-ports.ts';
import { shareCalls } from './shared-calls.ts';
import { createStoreHealth, type WatchedHealth } from './store-health.ts';
import type { StoreThread, StoreThreadSettings } from './store-thread.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  cacheMaxBytes: number;
  /** Limit for all downloadable files together; the oldest are removed first. */
  filesMaxBytes?: number;
  /** Cached pages are evicted while the disk has less free space than this. */
  minFreeBytes?: number;
  /** False lets a command read the folder of a running service. Such a store must not touch the cache. */
  lock?: boolean;
  /** Who the current work is for: the thread is shared by team. */
  currentTeam?: () => string;
  /** The thread has died and all later calls will fail, so the service should end. */
  onCrash?: (error: Error) => void;
  /** Nothing can be written from now on, for that reason, or everything again. */
  onWritable?: (problem: string | undefined) => void;
}

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
  ...options
}: SqliteStoreOptions): Promise<Store> {
  let state: 'opening' | 'open' | 'crashed' | 'closed' = 'opening';
  const thread = startThread(new URL('./store-thread.ts', import.meta.url), {
    workerData: { ...options, filesMaxBytes, minFreeBytes, lock } satisfies StoreThreadSettings,
    onCrash: (error) => {
      if (state !== 'open') return;
      state = 'crashed';
      onCrash?.(error);
    },
  });
  const direct = remotePort<StoreThread>(thread.call);
  await direct.opened().catch(async (error) => {
    await thread.terminate();
    throw error;
  });
  state = 'open';

  const closing = new AbortController();
  const health = createStoreHealth({ probe: direct.probe, onChange: onWritable });
  const calls = shareCalls(thread.call, currentTeam);
  // Errors lose their class between threads; callers always get a ServiceError.
  const remote = remotePort<StoreThread>(async (...call) => {
    if (state === 'closed') throw new ServiceError('SERVICE_UNAVAILABLE');
    try {
      return await calls.send(...call);
    } catch (cause) {
      throw health.noteFailure(cause);
    }
  });

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
    ...createPagePorts(remote),
    jobs: override<Store['jobs']>(remote.jobs as unknown as Store['jobs'], {
      async add({ tasks, ...job }) {
        const parts = await packTasks(tasks);
        return remote.jobs.add(job, new Moved(parts, buffersOf(parts)));
      },
      async append(id, teamId, { tasks, ...more }) {
        const parts = await packTasks(tasks);
        return remote.jobs.append(id, teamId, more, new Moved(parts, buffersOf(parts)));
      },
    }),
    runs: remote.runs,
    runQueue: remote.runQueue,
    monitors: remote.monitors,
    deliveries: remote.deliveries,
    deliveryLog: remote.deliveryLog,
    feed: remote.feed,
    notes: remote.notes,
    mails: remote.mails,
    programs: remote.programs,
    feedback: remote.feedback,
    backlog: remote.backlog,
    files: {
      add: (file) => {
        const bytes = new Uint8Array(file.bytes);
        return remote.files.add(new Moved({ ...file, bytes }, [bytes.buffer]));
      },
      async adopt(file) {
        const size = await syncFile(file.path);
        return remote.files.adopt({ ...file, size });
      },
      renew: remote.files.renew,
      async find(...args) {
        const found = await remote.files.find(...args);
        return found && { ...found, read: readerOf(found.body) };
      },
    },
    profiles: profilesOf(remote),
    uploads: uploadsOf(remote, options.dataDir, health),
    async close() {
      const wasOpen = state === 'open';
      state = 'closed';
      health.close();
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      await calls.settled();
      if (wasOpen) await direct.close().finally(() => thread.terminate());
    },
  };
}

const buffersOf = (parts: TaskParts) => parts.map(({ buffer }) => buffer);

function profilesOf(remote: Remote<StoreThread>): Store['profiles'] {
  return {
    async read(...args) {
      const found = await remote.profiles.read(...args);
      if (found && found.state === undefined) throw new ServiceError('PROFILE_UNREADABLE');
      return found?.state;
    },
    async write(...args) {
      if (Buffer.byteLength(args[2]) > MAX_PROFILE_BYTES) throw new ServiceError('PROFILE_TOO_LARGE');
      await remote.profiles.write(...args);
    },
    remove: remote.profiles.remove,
  };
}

function uploadsOf(remote: Remote<StoreThread>, dataDir: string, health: WatchedHealth): Store['uploads'] {
  const incoming = createIncoming(join(dataDir, INCOMING_FOLDER));
  const receiving = <T>(receive: Promise<T>): Promise<T> => receive.catch((error) => noteDiskFault(error, health));
  return {
    hold: (content) => receiving(incoming.hold(content)),
    add: remote.uploads.add,
    find: remote.uploads.find,
    receive: (id, content) =>
      receiving(incoming.write(content, (path, size) => remote.uploads.attachFile(id, path, size))),
    async read(...args) {
      const found = await remote.uploads.locate(...args);
      return found && readOrNothing(found.path);
    },
    remove: remote.uploads.remove,
  };
}

/** The disk is also written in this thread, by uploads. */
function noteDiskFault(error: unknown, health: WatchedHealth): never {
  const failure = asServiceError(error);
  throw failure === error ? error : health.noteFailure(failure);
}

/** Flushes a file to disk and returns its size. Runs here because the store thread must not wait for it. */
async function syncFile(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Undefined if it has just been removed. */
async function readOrNothing(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

const readerOf =
  (body: Body): StoredFile['read'] =>
  (range) =>
    'path' in body
      ? createReadStream(body.path, range)
      : Readable.from([range ? body.bytes.subarray(range.start, range.end + 1) : body.bytes], { objectMode: false });
