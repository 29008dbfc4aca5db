// Puts the inverted index together: new docs in the write buffer, all others in segments, and one view of both for
// searches.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { Ranker } from '../ranking/ranker.ts';
import { createFlushAndMerge, type MergeOptions } from '../upkeep/flush-and-merge.ts';
import { type Census, takeCensus } from './census.ts';
import { completeTerm } from './complete-term.ts';
import { DocTable } from './doc-table.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { docsWithPhrase } from './pairs/phrase-docs.ts';
import { createPendingChanges } from './pending-changes.ts';
import { createWordPostings } from './postings/word-postings.ts';
import { SCHEMA } from './segment-schema.ts';
import { createSegments } from './segments.ts';
import { WriteBuffer } from './write-buffer.ts';

export interface InvertedIndexOptions extends MergeOptions {
  /** Memory for decoded postings of frequently used words. */
  cacheBytes: number;
}

const DEFAULTS: InvertedIndexOptions = {
  flushAtDocs: 20_000,
  flushAtPostings: 2_000_000,
  mergeFactor: 8,
  stepWork: 1_000,
  cacheBytes: 16 * 1024 * 1024,
};

export function createInvertedIndex(
  connection: SqliteConnection,
  options: Partial<InvertedIndexOptions> = {},
): InvertedIndex {
  const settings = { ...DEFAULTS, ...options };
  for (const statement of SCHEMA) connection.prepare(statement).run();

  const docs = new DocTable();
  const segments = createSegments(connection, docs);
  const buffers = [new WriteBuffer()];
  const changes = createPendingChanges({ connection, docs, segments, buffers });
  const lists = createWordPostings(segments, buffers, settings.cacheBytes);
  const ranker = new Ranker(docs);

  const docFrequency = (term: string, census?: Census) =>
    census ? census.docsWith(lists.load({ forms: [term], weight: 1 })) : lists.docFrequency(term);

  return {
    get docCount() {
      return docs.live;
    },
    get lastDocId() {
      return changes.lastDocId;
    },
    add: changes.add,
    remove: changes.remove,
    canAmend: changes.canAmend,
    amend: changes.amend,
    committed: changes.committed,
    rolledBack: changes.rolledBack,
    flushAndMerge: createFlushAndMerge({ connection, docs, segments }, buffers, lists.segmentsChanged, settings),
    rank: ({ words, ...request }) => ranker.rank(words.map(lists.load), request),
    docsWithAll: (words) => ranker.withAll(words.map(lists.load)),
    docsWithPhrase: (terms) => docsWithPhrase({ docs, segments, buffers, lists }, terms),
    wordScore: (word, docId, census) => ranker.wordScore(lists.load(word), docId, census),
    completions: (request) => completeTerm({ segments, buffers, lists }, request),
    takeCensus: (isCounted) => takeCensus(docs, isCounted),
    docFrequency,
    // Loading the word is no loss: it is ranked next.
    wordFrequency: (word, census) =>
      census ? word.forms.reduce((sum, form) => sum + docFrequency(form, census), 0) : lists.load(word).df,
  };
}
