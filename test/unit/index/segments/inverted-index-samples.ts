// Small inverted indexes for tests, and docs to put into them.
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import {
  createInvertedIndex,
  type InvertedIndexOptions,
} from '../../../../src/index/segments/create-inverted-index.ts';
import type { InvertedIndex, NewDoc, RankRequest } from '../../../../src/index/segments/inverted-index.ts';
import { PairSet } from '../../../../src/index/segments/pairs/packed-pairs.ts';
import { pairKey, phrasePairs } from '../../../../src/index/segments/pairs/pair-hash.ts';
import { BlockReader } from '../../../../src/index/segments/postings/posting-block.ts';
import { createConnection, type SqliteConnection } from '../../../../src/runtime/sqlite/sqlite.ts';

export interface Opened {
  database: DatabaseSync;
  connection: SqliteConnection;
  invertedIndex: InvertedIndex;
}

export function open(t: TestContext, options: Partial<InvertedIndexOptions> = {}, file = ':memory:'): Opened {
  const database = new DatabaseSync(file);
  t.after(() => database.isOpen && database.close());
  const connection = createConnection(database);
  return { database, connection, invertedIndex: createInvertedIndex(connection, options) };
}

/** A doc in a form that is easy to write down. */
export interface SampleDoc extends Omit<NewDoc, 'terms' | 'pairs'> {
  /** Each term with its weighted count. */
  terms: ReadonlyMap<string, number>;
  /** Terms next to each other. */
  order?: readonly string[];
}

export const toNewDoc = ({ terms, order = [], ...rest }: SampleDoc): NewDoc => ({
  ...rest,
  pairs: packedPairs(order),
  terms: {
    vocabulary: [...terms.keys()],
    termIds: Uint32Array.from(terms.keys(), (_, i) => i),
    weights: Uint8Array.from(terms.values()),
  },
});

function packedPairs(order: readonly string[]): Uint8Array {
  const pairs = new PairSet();
  for (const hash of phrasePairs(order)) pairs.add(hash);
  return pairs.take();
}

/** A doc with these words, weighted by how often each occurs. */
export function docOf(docId: number, text: string): SampleDoc {
  const words = text.split(' ').filter(Boolean);
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { docId, terms, length: words.length, order: words };
}

export function add({ connection, invertedIndex }: Opened, ...docs: SampleDoc[]): void {
  connection.transaction(() => invertedIndex.add(docs.map(toNewDoc)));
  invertedIndex.committed();
}

export function remove({ connection, invertedIndex }: Opened, ...docIds: number[]): void {
  connection.transaction(() => {
    for (const docId of docIds) invertedIndex.remove(docId);
  });
  invertedIndex.committed();
}

export function flushAndMergeAll({ invertedIndex }: Opened): void {
  while (invertedIndex.flushAndMerge());
}

export const request = (words: string, more: Partial<RankRequest> = {}): RankRequest => ({
  words: words.split(' ').map((word) => ({ forms: word.split('|'), weight: 1 })),
  depth: 10,
  ...more,
});

export const docIdsFor = ({ invertedIndex }: Opened, words: string, more: Partial<RankRequest> = {}): number[] =>
  invertedIndex.rank(request(words, more)).hits.map(({ docId }) => docId);

export const countRows = ({ database }: Opened, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);

const PAIR_MARK = pairKey(0)[0]!;

/** The terms with postings in segments, once for each segment that has them. */
export function storedTerms({ database }: Opened): string[] {
  const blocks = database.prepare('SELECT bytes FROM post ORDER BY seg, term').all();
  return blocks.flatMap(({ bytes }) => {
    const terms: string[] = [];
    const reader = new BlockReader(bytes as Uint8Array);
    for (let row = reader.next(); row; row = reader.next()) if (!row.term.startsWith(PAIR_MARK)) terms.push(row.term);
    return terms;
  });
}
