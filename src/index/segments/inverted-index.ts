// Which documents hold which terms, how often, and how well they therefore fit: the part of the index that ranks.
// Documents are numbered 1, 2, 3, ...; a number is never used again. Some 16 bytes of memory go with each up to the highest.

/** The terms of a document, each once, by their numbers in a list of terms that many documents may share. */
export interface CountedTerms {
  readonly vocabulary: readonly string[];
  readonly termIds: Uint32Array;
  /** How often, fields weighted: 1 to 255. */
  readonly weights: Uint8Array;
}

export interface NewDoc {
  /** Higher than every number before it. */
  docId: number;
  terms: CountedTerms;
  /** How many terms it has in all, fields weighted alike. */
  length: number;
}

/** One word of a query. A page has it in the form that its language gives it: the forms count as one term. */
export interface RankedWord {
  forms: readonly string[];
  /** 1, or how often the word stands in a long question. */
  weight: number;
}

export interface RankRequest {
  words: readonly RankedWord[];
  /** 0 at the number of a document leaves it out. Shorter than the numbers go: what is beyond is left out. */
  filter?: Uint8Array;
  /** What a document's number adds to its score, whatever the words (quality, country); beyond its end nothing. */
  boosts?: Float32Array;
  /** At most so many hits, the best. */
  depth: number;
}

export interface RankedHit {
  docId: number;
  score: number;
  /** How many of the words it has. */
  covered: number;
}

export interface Ranking {
  /** The best first; of equal scores the higher number first. */
  hits: RankedHit[];
  /** How many documents have any of the words. */
  total: number;
}

export interface InvertedIndex {
  /** Living documents. */
  readonly docCount: number;
  /** The highest number that was ever given; 0 at first. */
  readonly lastDocId: number;
  /** Inside the caller's transaction, as `remove`: nothing is seen of it in searches until `committed`. */
  add(docs: readonly NewDoc[]): void;
  remove(docId: number): void;
  /** The caller's transaction has ended well; `rolledBack`: it has not. */
  committed(): void;
  rolledBack(): void;
  /** One bounded step of sealing, merging and purging, in transactions of its own. True while there is more to do. */
  flushAndMerge(): boolean;
  /** Exact: no document that has a word is passed over. */
  rank(request: RankRequest): Ranking;
  /** The living documents that have all of the words, in no order. */
  docsWithAll(words: readonly RankedWord[]): number[];
  /** In how many living and not yet purged documents the term is. */
  docFrequency(term: string): number;
}
