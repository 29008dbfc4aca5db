// The peer: a plain FTS5 table that ranks by itself, in a thread like the index's.
import { startThread } from '../src/util/thread.ts';
import type { OpenEngine } from './index-engine.ts';

export const open: OpenEngine = async (file) => {
  const thread = startThread(new URL('./index-fts5-thread.ts', import.meta.url), { workerData: { file } });
  return {
    apply: (changes) => thread.call('apply', [changes]),
    ask: (query) => thread.call('ask', [query]),
    async close() {
      await thread.call('close', []);
      await thread.terminate();
    },
  };
};
