// The entry point of the thread that reads the memory of browsers: with many processes on a busy machine, a look into
// /proc may take a second.
import { serveThread } from '../../../../runtime/threads/thread.ts';
import { type BrowserMemory, createMemoryReader, type ReadMemory } from './read-memory.ts';

export interface MemoryThread {
  /** What each of these browsers holds. Processes in `ended` are about to disappear and do not count. */
  read(browsers: readonly number[], ended: ReadonlySet<number>): Promise<BrowserMemory[]>;
}

serveThread<MemoryThread>({ read: createReaders() });

function createReaders() {
  let readers = new Map<number, ReadMemory>();
  return (browsers: readonly number[], ended: ReadonlySet<number>): BrowserMemory[] => {
    readers = new Map(browsers.map((pid) => [pid, readers.get(pid) ?? createMemoryReader(pid)]));
    return [...readers.values()].map((read) => read(ended));
  };
}
