// The embedded store as the service sees it: every call goes to the store thread and back.
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ServiceError } from '../../contracts/errors.ts';
import { MAX_PROFILE_BYTES } from '../../contracts/profile.ts';
import { startThread } from '../../util/thread.ts';
import type { StoredFile } from '../files.ts';
import { createIncoming, INCOMING_FOLDER } from '../fs/incoming.ts';
import type { Keep } from '../pages.ts';
import type { Store } from '../store.ts';
import type { Body } from './bodies.ts';
import type { FoundFile } from './files.ts';
import type { FoundProfile } from './profiles.ts';
import type { ThreadSettings } from './thread.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  cacheMaxBytes: number;
  /** What the files that callers fetch may take together; the oldest go first. */
  filesMaxBytes?: number;
  /** False lets a command look into the folder of a running service. Such a store must leave the cache alone. */
  lock?: boolean;
  /** The thread has died and every later call will fail: the service had better end. */
  onCrash?: (error: Error) => void;
}

/** Ten thousand pictures of a crawl. */
const FILES_MAX_BYTES = 10 * 1024 ** 3;

/** Rejects with one sentence for people when the folder is in use, cannot be written, or holds what cannot be read. */
export async function openSqliteStore({
  lock = true,
  filesMaxBytes = FILES_MAX_BYTES,
  onCrash,
  ...options
}: SqliteStoreOptions): Promise<Store> {
  let state: 'opening' | 'open' | 'crashed' | 'closed' = 'opening';
  const thread = startThread(new URL('./thread.ts', import.meta.url), {
    workerData: { ...options, filesMaxBytes, lock } satisfies ThreadSettings,
    onCrash: (error) => {
      if (state !== 'open') return;
      state = 'crashed';
      onCrash?.(error);
    },
  });
  await thread.call('opened', []).catch(async (error) => {
    await thread.terminate();
    throw error;
  });
  state = 'open';

  /** Errors lose their class on the way between threads; what callers get is always a ServiceError. */
  const call = async <T>(method: string, args: unknown[], transfer?: ArrayBuffer[]): Promise<T> => {
    if (state === 'closed') throw new ServiceError('SERVICE_UNAVAILABLE');
    try {
      return await thread.call<T>(method, args, transfer);
    } catch (cause) {
      throw new ServiceError('UNKNOWN_ERROR', { cause });
    }
  };

  const incoming = createIncoming(join(options.dataDir, INCOMING_FOLDER));

  return {
    teams: {
      ensureTeam: (...args) => call('teams.ensureTeam', args),
      addKey: (...args) => call('teams.addKey', args),
      listKeys: () => call('teams.listKeys', []),
      revokeKeys: (...args) => call('teams.revokeKeys', args),
      findByKey: (...args) => call('teams.findByKey', args),
      creditsSince: (...args) => call('teams.creditsSince', args),
    },
    pages: {
      keep: (keep) => {
        const own = ownBytes(keep);
        return call('pages.keep', [own.keep], own.buffers);
      },
      find: (...args) => call('pages.find', args),
      known: (...args) => call('pages.known', args),
      delete: (...args) => call('pages.delete', args),
      sweep: (...args) => call('pages.sweep', args),
    },
    scrapes: {
      add: (usage, record) => {
        const own = record && ownBytes(record.keep);
        return call('scrapes.add', [usage, own && { ...record, keep: own.keep }], own?.buffers);
      },
      find: (...args) => call('scrapes.find', args),
      lastSuccessAt: (...args) => call('scrapes.lastSuccessAt', args),
    },
    jobs: {
      add: (...args) => call('jobs.add', args),
      append: (...args) => call('jobs.append', args),
      view: (...args) => call('jobs.view', args),
      results: (...args) => call('jobs.results', args),
      problems: (...args) => call('jobs.problems', args),
      unfinished: (...args) => call('jobs.unfinished', args),
      cancel: (...args) => call('jobs.cancel', args),
    },
    queue: {
      claim: (...args) => call('queue.claim', args),
      extend: (...args) => call('queue.extend', args),
      discover: (...args) => call('queue.discover', args),
      finish: (owner, taskId, outcome, now) => {
        if (outcome.state !== 'done') return call('queue.finish', [owner, taskId, outcome, now]);
        const own = ownBytes(outcome.page.keep);
        const page = { ...outcome.page, keep: own.keep };
        return call('queue.finish', [owner, taskId, { ...outcome, page }, now], own.buffers);
      },
      release: (...args) => call('queue.release', args),
      load: (...args) => call('queue.load', args),
    },
    deliveries: {
      due: (...args) => call('deliveries.due', args),
      settle: (...args) => call('deliveries.settle', args),
      nextAt: () => call('deliveries.nextAt', []),
    },
    feed: {
      state: () => call('feed.state', []),
      after: (...args) => call('feed.after', args),
      settle: (...args) => call('feed.settle', args),
    },
    notes: {
      read: (...args) => call('notes.read', args),
      write: (...args) => call('notes.write', args),
    },
    feedback: {
      add: (...args) => call('feedback.add', args),
    },
    files: {
      add: (file) => {
        const bytes = new Uint8Array(file.bytes);
        return call('files.add', [{ ...file, bytes }], [bytes.buffer]);
      },
      async adopt(file) {
        const size = await settle(file.path);
        return call('files.adopt', [{ ...file, size }]);
      },
      async find(...args) {
        const found = await call<FoundFile | undefined>('files.find', args);
        return found && { ...found, read: readerOf(found.body) };
      },
    },
    profiles: {
      async read(...args) {
        const found = await call<FoundProfile | undefined>('profiles.read', args);
        if (found && found.state === undefined) throw new ServiceError('PROFILE_UNREADABLE');
        return found?.state;
      },
      async write(...args) {
        if (Buffer.byteLength(args[2]) > MAX_PROFILE_BYTES) throw new ServiceError('PROFILE_TOO_LARGE');
        await call('profiles.write', args);
      },
      remove: (...args) => call('profiles.remove', args),
    },
    uploads: {
      hold: incoming.hold,
      add: (...args) => call('uploads.add', args),
      find: (...args) => call('uploads.find', args),
      receive: (id, content) => incoming.write(content, (path, size) => call('uploads.settle', [id, path, size])),
      async read(...args) {
        const found = await call<{ path: string } | undefined>('uploads.locate', args);
        return found && readOrNothing(found.path);
      },
      remove: (...args) => call('uploads.remove', args),
    },
    async close() {
      const wasOpen = state === 'open';
      state = 'closed';
      if (wasOpen) await thread.call('close', []).finally(() => thread.terminate());
    },
  };
}

/** Sees to it that all of the file is on the disk, and gives its size; here, because the store thread must not wait for it. */
async function settle(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** It may have been removed a moment ago. */
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

/** Bytes are copied, then given away: a view into a larger buffer would take all of that buffer with it. */
function ownBytes(keep: Keep): { keep: Keep; buffers: ArrayBuffer[] } {
  if (!('page' in keep)) return { keep, buffers: [] };
  const bytes = new Uint8Array(keep.page.fetched.bytes);
  const page = { ...keep.page, fetched: { ...keep.page.fetched, bytes } };
  return { keep: { ...keep, page }, buffers: [bytes.buffer] };
}
