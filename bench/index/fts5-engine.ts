// The peer: a plain FTS5 table with its own ranking, in a thread like that of the index.
import { remotePort, startThread } from '../../src/runtime/threads/thread.ts';
import type { IndexEngine, OpenEngine } from './index-engine.ts';

export const open: OpenEngine = async (file) => {
  const thread = startThread(new URL('./fts5-thread.ts', import.meta.url), { workerData: { file } });
  const remote = remotePort<IndexEngine>(thread.call);
  return {
    apply: remote.apply,
    ask: remote.ask,
    async close() {
      await remote.close();
      await thread.terminate();
    },
  };
};
