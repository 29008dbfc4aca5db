// Any of our indexes as an engine under test.
import { parseQuery } from '../../src/search/query/query.ts';
import { CORPUS_NOW } from '../corpus/corpus.ts';
import { HITS, type OpenEngine } from './index-engine.ts';
import { plainConditions, VISIBLE } from './index-queries.ts';
import { openMeasuredIndex } from './open-measured-index.ts';

export const createEngineOf =
  (engine: string): OpenEngine =>
  async (file) => {
    const index = await openMeasuredIndex(engine, file);
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
