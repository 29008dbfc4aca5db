// The peer: a plain FTS5 table that ranks by itself, in a thread like the index's.
import { remotePort, startThread } from '../../src/util/thread.ts';
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
