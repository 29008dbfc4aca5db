// The embedded store in the thread of the test. Calls and answers are copied as between threads, but a store costs some
// milliseconds, not the start of a thread with all its modules.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Moved, type Served, type Thread } from '../../src/runtime/threads/thread.ts';
import { hostStore, type StoreThread, type StoreThreadSettings } from '../../src/store/sqlite/hosted-store.ts';
import { hostReads, type ReadThread } from '../../src/store/sqlite/reads/hosted-reads.ts';
import { READ_THREAD, type StoreThreadOptions } from '../../src/store/sqlite/sqlite-store.ts';

type Method = (...args: unknown[]) => unknown;

/** For `start` of `openSqliteStore`. */
export function startWithoutThread(entry: URL, { workerData }: StoreThreadOptions): Thread {
  let hosted: Served<StoreThread> | Served<ReadThread>;
  let ended: Error | undefined;
  let pending = 0;
  try {
    hosted = host(entry, structuredClone(workerData));
  } catch (error) {
    ended = error as Error;
  }
  const answer = async (path: string, args: unknown[], moved: readonly ArrayBuffer[]): Promise<unknown> => {
    try {
      const value = await methodOf(hosted, path)(...args);
      return value instanceof Moved
        ? structuredClone(value.value, { transfer: [...value.buffers] })
        : structuredClone(value);
    } catch (error) {
      const { code } = error as { code?: unknown };
      const back = moved.filter((buffer) => !buffer.detached);
      throw Object.assign(structuredClone(error) as Error, code !== undefined && { code }, { moved: back });
    }
  };
  return {
    get pending() {
      return pending;
    },
    cpuMs: async () => 0,
    async call(method, args, transfer) {
      if (ended) throw ended;
      const sent = structuredClone({ args: [...args], moved: [...transfer] }, { transfer: [...transfer] });
      pending += 1;
      try {
        // The caller goes on before the call is looked at, as if it were elsewhere.
        await nextTurn();
        if (ended) throw ended;
        return await answer(method, sent.args, sent.moved);
      } finally {
        pending -= 1;
      }
    },
    async terminate(reason = new Error('The worker thread was terminated.')) {
      ended ??= reason;
    },
  };
}

const host = (entry: URL, settings: StoreThreadOptions['workerData']) =>
  entry === READ_THREAD ? hostReads(settings) : hostStore(settings as StoreThreadSettings);

function methodOf(hosted: object, path: string): Method {
  let found: unknown = hosted;
  for (const name of path.split('.')) found = (found as Record<string, unknown>)[name];
  return found as Method;
}
