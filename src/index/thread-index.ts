// An index in a thread of its own, as the service sees it: every call goes there and back. The thread starts with the first
// call and ends after a long idle time, so that an idle service does not pay for it.
import { ServiceError } from '../contracts/errors/errors.ts';
import { Moved, override, remotePort, startThread, type Thread } from '../runtime/threads/thread.ts';
import { ownsBuffer } from '../util/bytes/free-bytes.ts';
import type { IndexChange, PageIndex } from './page-index.ts';

export interface ThreadIndexOptions {
  /** The program of the thread, and what it gets. */
  entry: URL;
  workerData: unknown;
  /** The thread has died. Its calls fail; the next call starts a new thread. */
  onCrash?: ((error: Error) => void) | undefined;
  /** How long an idle thread is kept. */
  idleMs?: number | undefined;
  /** What a caller gets for an error of the thread. Errors lose their class between threads, but not their `code`. */
  faultOf?(cause: unknown): ServiceError;
}

const IDLE_MS = 300_000;
/** Several times what the thread needs. A lower limit leaves less garbage uncollected. */
const OLD_MB = 320;

export interface OwnedPageIndex extends PageIndex {
  /** Ends the thread unless somebody has searched: one that only took in the manual is not needed for long. */
  endUnlessSearched(): Promise<void>;
}

const SEARCHES = new Set<string>([
  'web',
  'news',
  'images',
  'find',
  'suggest',
  'passages',
  'texts',
] satisfies (keyof PageIndex)[]);

export async function openThreadIndex(options: ThreadIndexOptions): Promise<OwnedPageIndex> {
  const { entry, workerData, onCrash, idleMs = IDLE_MS, faultOf = unknownFault } = options;
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;
  let isClosed = false;
  let isSearched = false;
  const underWay = new Set<Promise<unknown>>();

  const start = () =>
    startThread(entry, {
      workerData,
      maxOldGenerationSizeMb: OLD_MB,
      onCrash: (error) => {
        thread = undefined;
        if (!isClosed) onCrash?.(error);
      },
    });
  const end = async () => {
    const open = thread;
    thread = undefined;
    if (open)
      await remotePort<PageIndex>(open.call)
        .close()
        .finally(() => open.terminate());
  };
  const endWhenIdle = () => {
    clearTimeout(idle);
    if (underWay.size > 0 || isClosed) return;
    idle = setTimeout(() => {
      ending = end().catch(() => {});
    }, idleMs);
    idle.unref();
  };

  const remote = remotePort<PageIndex>(async (...call) => {
    if (isClosed) throw new ServiceError('SERVICE_UNAVAILABLE');
    clearTimeout(idle);
    isSearched ||= SEARCHES.has(call[0]);
    const answer = (ending ?? Promise.resolve()).then(() => {
      ending = undefined;
      thread ??= start();
      return thread.call(...call);
    });
    underWay.add(answer);
    try {
      return await answer;
    } catch (cause) {
      throw faultOf(cause);
    } finally {
      underWay.delete(answer);
      endWhenIdle();
    }
  });

  return override<OwnedPageIndex>(remote as OwnedPageIndex, {
    async endUnlessSearched() {
      if (isSearched || isClosed || underWay.size > 0) return;
      clearTimeout(idle);
      ending ??= end().catch(() => {});
      await ending;
    },
    apply: (changes) => remote.apply(moved(changes)),
    applyNext: (changes) => remote.applyNext(moved(changes)),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await Promise.allSettled([...underWay, ending]);
      await end();
    },
  });
}

function moved(changes: readonly IndexChange[]): Moved<IndexChange[]> {
  const own = changes.map(ownBytes);
  const buffers = own.flatMap(({ entry }) => (entry ? [entry.buffer as ArrayBuffer] : []));
  return new Moved(own, buffers);
}

/** A view would take all of a larger buffer with it, so it is copied. What the store sends owns its buffer. */
const ownBytes = (change: IndexChange): IndexChange => ({
  ...change,
  entry: change.entry && (ownsBuffer(change.entry) ? change.entry : new Uint8Array(change.entry)),
});

const unknownFault = (cause: unknown): ServiceError => new ServiceError('UNKNOWN_ERROR', { cause });
