// The ranking part of the index: new documents in the tail, all others in segments, and one view of both for searches.
import type { Connection } from '../../store/sqlite/connection.ts';
import { createChanges } from './changes.ts';
import { Documents } from './documents.ts';
import type { Postings } from './postings.ts';
import { Ranker } from './rank.ts';
import { SCHEMA } from './schema.ts';
import { createSegments } from './segments.ts';
import { Tail } from './tail.ts';
import { createTidy, type TidyOptions } from './tidy.ts';
import { createWordLists } from './word-lists.ts';

export interface PostingsOptions extends TidyOptions {
  /** For decoded postings of words that are asked for often. */
  cacheBytes: number;
}

const DEFAULTS: PostingsOptions = {
  sealAt: 20_000,
  sealAtPostings: 2_000_000,
  fanIn: 8,
  stepWork: 250,
  cacheBytes: 16 * 1024 * 1024,
};

export function createPostings(connection: Connection, options: Partial<PostingsOptions> = {}): Postings {
  const settings = { ...DEFAULTS, ...options };
  for (const statement of SCHEMA) connection.prepare(statement).run();

  const documents = new Documents();
  const segments = createSegments(connection, documents);
  const tails = [new Tail()];
  const changes = createChanges({ connection, documents, segments, tails });
  const lists = createWordLists(segments, tails, settings.cacheBytes);
  const ranker = new Ranker(documents);

  return {
    get count() {
      return documents.living;
    },
    get last() {
      return changes.last;
    },
    add: changes.add,
    remove: changes.remove,
    committed: changes.committed,
    rolledBack: changes.rolledBack,
    tidy: createTidy({ connection, documents, segments }, tails, lists.segmentsChanged, settings),
    rank: ({ words, ...request }) => ranker.rank(words.map(lists.load), request),
    withAll: (words) => ranker.withAll(words.map(lists.load)),
    frequency: lists.frequency,
  };
}
