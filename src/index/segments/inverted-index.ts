// Which docs contain which terms, and how well they match a query: the part of the index that ranks. Doc ids are 1, 2,
// 3, ... and never reused. Memory: about 16 bytes per id, up to the highest.

import type { Census } from './census.ts';

/** The terms of a doc, each once, as ids in a vocabulary that docs share. */
export interface CountedTerms {
  readonly vocabulary: readonly string[];
  readonly termIds: Uint32Array;
  /** Number of occurrences, weighted by field: 1 to 255. */
  readonly weights: Uint8Array;
}

export interface DocTerms {
  docId: number;
  terms: CountedTerms;
  /** Total number of terms, without field weights. */
  length: number;
}

/** Its id is higher than every id before it. */
export interface NewDoc extends DocTerms {
  /** Which terms are next to each other, packed as in pairs/packed-pairs.ts. */
  pairs: Uint8Array;
}

/** One word of a query. Its form depends on the language of a page; all forms together count as one term. */
export interface RankedWord {
  forms: readonly string[];
  /** 1, or in a long query the number of its occurrences. */
  weight: number;
}

export interface RankRequest {
  words: readonly RankedWord[];
  /** 0 at a doc id leaves that doc out, and so does an id beyond the end. */
  filter?: Uint8Array;
  /** Added to the score of a doc, by id; nothing beyond the end. */
  boosts?: Float32Array;
  /** Counts docs and words among these docs only; absent: among all. */
  census?: Census;
  /** Maximum number of hits. */
  depth: number;
}

export interface RankedHit {
  docId: number;
  score: number;
  /** How many of the words the doc has. */
  covered: number;
}

export interface Ranking {
  /** Best first; of equal scores the higher id first. */
  hits: RankedHit[];
  /** How many docs have any of the words and pass the filter. */
  total: number;
}

/** What one word adds to the score of a doc. */
export interface WordScore {
  score: number;
  /** Occurrences in the doc, weighted by field. */
  weight: number;
  /** How many docs have the word. */
  docs: number;
}

export interface CompletionRequest {
  /** The terms begin with it. */
  prefix: string;
  most: number;
  /** Only terms that these docs have. */
  census?: Census | undefined;
}

export interface InvertedIndex {
  /** Live docs. */
  readonly docCount: number;
  /** The highest id ever used; 0 at first. */
  readonly lastDocId: number;
  /** Call `add`, `remove` and `amend` inside a transaction. Searches see nothing of them until `committed`. */
  add(docs: readonly NewDoc[]): void;
  remove(docId: number): void;
  /** Whether occurrences can still be added to a doc: only while it is in the write buffer. */
  canAmend(docId: number): boolean;
  /** `length` is the number of terms added. Requires `canAmend`. */
  amend(doc: DocTerms): void;
  /** Call one of the two after the transaction. */
  committed(): void;
  rolledBack(): void;
  /** One bounded step of flushing, merging and purging, in its own transactions. True while there is more to do. */
  flushAndMerge(): boolean;
  /** Exact: every doc that has one of the words is scored. */
  rank(request: RankRequest): Ranking;
  /** The live docs that have all of the words, unordered. */
  docsWithAll(words: readonly RankedWord[]): number[];
  /** The live docs that have these terms in this order, and a few that only have all pairs of neighbours. Unordered. */
  docsWithPhrase(terms: readonly string[]): number[];
  takeCensus(isCounted: (docId: number) => boolean): Census;
  wordScore(word: RankedWord, docId: number, census?: Census): WordScore;
  /** The most frequent terms with a prefix. With a very common prefix, some are not looked at. */
  completions(request: CompletionRequest): string[];
  /** How many docs have the term: of a census, or of all, including deleted ones that are not purged. */
  docFrequency(term: string, census?: Census): number;
  /** The sum over all forms of the word. */
  wordFrequency(word: RankedWord, census?: Census): number;
}
