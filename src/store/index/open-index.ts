// The embedded index as the service sees it: every call goes to the index thread and back. The thread starts with the
// first call, so that a service that never searches does not pay for it.
import { ServiceError } from '../../contracts/errors.ts';
import { startThread, type Thread } from '../../util/thread.ts';
import type { IndexChange, PageIndex } from '../page-index.ts';
import type { ThreadSettings } from './thread.ts';

export interface PageIndexOptions {
  /** The database file; one that cannot be read is begun anew. */
  file: string;
  /** The thread has died and every later call will fail: the service had better end. */
  onCrash?(error: Error): void;
}

export async function openPageIndex({ file, onCrash }: PageIndexOptions): Promise<PageIndex> {
  let thread: Thread | undefined;
  let isClosed = false;
  let hasCrashed = false;
  const underWay = new Set<Promise<unknown>>();
  const start = () =>
    startThread(new URL('./thread.ts', import.meta.url), {
      workerData: { file } satisfies ThreadSettings,
      onCrash: (error) => {
        hasCrashed = true;
        if (!isClosed) onCrash?.(error);
      },
    });

  /** Errors lose their class on the way between threads; what callers get is always a ServiceError. */
  const call = async <T>(method: string, args: unknown[], transfer?: ArrayBuffer[]): Promise<T> => {
    if (isClosed) throw new ServiceError('SERVICE_UNAVAILABLE');
    thread ??= start();
    const answer = thread.call<T>(method, args, transfer);
    underWay.add(answer);
    try {
      return await answer;
    } catch (cause) {
      throw new ServiceError('UNKNOWN_ERROR', { cause });
    } finally {
      underWay.delete(answer);
    }
  };

  return {
    applied: () => call('applied', []),
    apply(changes) {
      const own = changes.map(ownBytes);
      return call(
        'apply',
        [own],
        own.flatMap(({ entry }) => (entry ? [entry.buffer] : [])),
      );
    },
    clear: () => call('clear', []),
    web: (search) => call('web', [search]),
    news: (search) => call('news', [search]),
    images: (search) => call('images', [search]),
    stats: () => call('stats', []),
    async close() {
      const open = isClosed ? undefined : thread;
      isClosed = true;
      await Promise.allSettled(underWay);
      if (open && !hasCrashed) await open.call('close', []).finally(() => open.terminate());
    },
  };
}

/** Bytes are copied, then given away: a view into a larger buffer would take all of that buffer with it. */
const ownBytes = (change: IndexChange): IndexChange & { entry: Uint8Array<ArrayBuffer> | null } => ({
  ...change,
  entry: change.entry && new Uint8Array(change.entry),
});
