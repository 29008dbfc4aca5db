// The embedded index, opened as in the service.
import { openPageIndex } from '../../src/index/open-index.ts';
import { parseQuery } from '../../src/search/query/query.ts';
import { CORPUS_NOW } from '../corpus/corpus.ts';
import { HITS, type OpenEngine } from './index-engine.ts';
import { plainConditions, VISIBLE } from './index-queries.ts';

export const open: OpenEngine = async (file) => {
  const index = await openPageIndex({
    file,
    // The measured thread must stay the same, even if generating queries takes long.
    idleMs: 3_600_000,
    onCrash: (error) => {
      throw error;
    },
  });
  return {
    apply: index.apply,
    async ask({ text, source, sortByDate }) {
      const hits = await index[source]({
        ...VISIBLE,
        query: parseQuery(text),
        conditions: { ...plainConditions, sortByDate },
        limit: HITS,
        highlights: true,
        now: CORPUS_NOW,
      });
      return hits.length;
    },
    close: index.close,
  };
};
