// The embedded store as the service sees it: every call goes to the store thread and back.
import { ServiceError } from '../../contracts/errors.ts';
import { startThread } from '../../util/thread.ts';
import type { Store } from '../store.ts';
import type { ThreadSettings } from './thread.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  cacheMaxBytes: number;
  /** False lets a command look into the folder of a running service. Such a store must leave the cache alone. */
  lock?: boolean;
  /** The thread has died and every later call will fail: the service had better end. */
  onCrash?: (error: Error) => void;
}

/** Rejects with one sentence for people when the folder is in use, cannot be written, or holds what cannot be read. */
export async function openSqliteStore({ lock = true, onCrash, ...options }: SqliteStoreOptions): Promise<Store> {
  let state: 'opening' | 'open' | 'crashed' | 'closed' = 'opening';
  const thread = startThread(new URL('./thread.ts', import.meta.url), {
    workerData: { ...options, lock } satisfies ThreadSettings,
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
      put: (key, url, page, expiresAt, result) => {
        // Copied, then given away: a view into a larger buffer would take all of that buffer with it.
        const bytes = new Uint8Array(page.bytes);
        return call('pages.put', [key, url, { ...page, bytes }, expiresAt, result], [bytes.buffer]);
      },
      putResult: (...args) => call('pages.putResult', args),
      find: (...args) => call('pages.find', args),
      delete: (...args) => call('pages.delete', args),
      sweep: (...args) => call('pages.sweep', args),
    },
    scrapes: {
      add: (...args) => call('scrapes.add', args),
      find: (...args) => call('scrapes.find', args),
      lastSuccessAt: (...args) => call('scrapes.lastSuccessAt', args),
    },
    async close() {
      const wasOpen = state === 'open';
      state = 'closed';
      if (wasOpen) await thread.call('close', []).finally(() => thread.terminate());
    },
  };
}
