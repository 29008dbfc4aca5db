// Scores every doc that has a word of the query, and keeps the best.

import type { Census, CountedWord } from '../segments/census.ts';
import { type DocTable, LIVE } from '../segments/doc-table.ts';
import type { Ranking, RankRequest, WordScore } from '../segments/inverted-index.ts';
import { type PostingList, weightIn } from '../segments/postings/posting-list.ts';
import { lengthNorm, wordFactor } from './bm25.ts';
import { TopK } from './top-k.ts';

/** A query word with all its postings. The lists have no doc in common. */
export interface LoadedWord extends CountedWord {
  weight: number;
}

/** Up to this share of postings per doc, touched docs are noted; above it, scanning all docs is faster. */
const TOUCH_SHARE = 1 / 8;
/** Docs scanned at a time. */
const BLOCK = 1024;

export class Ranker {
  readonly #docs: DocTable;
  // Reused by all queries and all zero in between. 64 bits, so that rounding does not decide the order of near-equal
  // scores.
  #scores = new Float64Array(0);
  #covered = new Uint16Array(0);
  #touched = new Int32Array(0);

  constructor(docs: DocTable) {
    this.#docs = docs;
  }

  rank(words: readonly LoadedWord[], request: Omit<RankRequest, 'words'>): Ranking {
    this.#makeRoom();
    const { census } = request;
    const { total, totalLength } = census ?? this.#docs;
    const { base, slope } = lengthNorm(total, totalLength);
    const isFew = words.reduce((sum, { df }) => sum + df, 0) < this.#docs.total * TOUCH_SHARE;
    let count = 0;
    for (const word of words) {
      const scale = wordFactor(total, census?.docsWith(word) ?? word.df, word.weight);
      for (const list of word.lists) {
        if (isFew) count = this.#touch(list, count);
        this.#score(list, scale, base, slope);
      }
    }
    const best = new Collector(this.#docs, this.#scores, request);
    if (isFew) best.take(this.#touched, count);
    else this.#scan(best);
    const hits = best.top.sorted().map((hit) => ({ ...hit, covered: this.#covered[hit.docId]! }));
    this.#clear(isFew ? count : undefined);
    return { hits, total: best.total };
  }

  /** The live docs that have all of the words. */
  withAll(words: readonly LoadedWord[]): number[] {
    this.#makeRoom();
    const covered = this.#covered;
    const { states } = this.#docs;
    const found: number[] = [];
    const [rarest, ...others] = words.toSorted((a, b) => a.df - b.df);
    const each = (word: LoadedWord, visit: (docId: number) => void) => {
      for (const { docIds } of word.lists) for (let i = 0; i < docIds.length; i++) visit(docIds[i]!);
    };
    if (!rarest) return found;
    for (const word of others) each(word, (docId) => covered[docId]!++);
    each(rarest, (docId) => {
      if (covered[docId] === others.length && states[docId] === LIVE) found.push(docId);
    });
    for (const word of others) {
      each(word, (docId) => {
        covered[docId] = 0;
      });
    }
    return found;
  }

  /** What `rank` adds to the score of a doc for a word. */
  wordScore(word: LoadedWord, docId: number, census?: Census): WordScore {
    const { total, totalLength } = census ?? this.#docs;
    const { base, slope } = lengthNorm(total, totalLength);
    const docs = census?.docsWith(word) ?? word.df;
    const scale = wordFactor(total, docs, word.weight);
    const f = word.lists.reduce((sum, list) => sum + weightIn(list, docId), 0);
    return { score: (scale * f) / (f + base + slope * this.#docs.lengths[docId]!), weight: f, docs };
  }

  #makeRoom(): void {
    const { capacity } = this.#docs;
    if (this.#scores.length === capacity) return;
    this.#scores = new Float64Array(capacity);
    this.#covered = new Uint16Array(capacity);
    this.#touched = new Int32Array(Math.ceil(capacity * TOUCH_SHARE) + BLOCK);
  }

  // Whether a doc was touched before is unpredictable: `#touch` and `#scan` avoid the branch, whose mispredictions
  // would cost more than everything else.
  #touch({ docIds }: PostingList, from: number): number {
    const covered = this.#covered;
    const touched = this.#touched;
    let count = from;
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!;
      touched[count] = docId;
      count += (covered[docId]! - 1) >>> 31;
    }
    return count;
  }

  #score({ docIds, weights }: PostingList, scale: number, base: number, slope: number): void {
    const scores = this.#scores;
    const covered = this.#covered;
    const { lengths } = this.#docs;
    for (let i = 0; i < docIds.length; i++) {
      const docId = docIds[i]!;
      const f = weights[i]!;
      scores[docId]! += (scale * f) / (f + base + slope * lengths[docId]!);
      covered[docId]!++;
    }
  }

  #scan(best: Collector): void {
    const covered = this.#covered;
    const met = this.#touched;
    const end = this.#docs.lastId + 1;
    for (let start = 1; start < end; start += BLOCK) {
      const stop = Math.min(end, start + BLOCK);
      let count = 0;
      for (let docId = start; docId < stop; docId++) {
        met[count] = docId;
        count += 1 - ((covered[docId]! - 1) >>> 31);
      }
      best.take(met, count);
    }
  }

  #clear(touched: number | undefined): void {
    if (touched === undefined) {
      this.#scores.fill(0);
      this.#covered.fill(0);
      return;
    }
    const scores = this.#scores;
    const covered = this.#covered;
    for (let i = 0; i < touched; i++) {
      const docId = this.#touched[i]!;
      scores[docId] = 0;
      covered[docId] = 0;
    }
  }
}

/** Collects the best of the docs that are live and pass the filter. */
class Collector {
  readonly top: TopK;
  total = 0;
  readonly #states: Uint8Array;
  readonly #scores: Float64Array;
  readonly #filter: Uint8Array | undefined;
  readonly #boosts: Float32Array;

  constructor(docs: DocTable, scores: Float64Array, { filter, boosts, depth }: Omit<RankRequest, 'words'>) {
    this.top = new TopK(depth);
    this.#states = docs.states;
    this.#scores = scores;
    this.#filter = filter;
    this.#boosts = boosts ?? new Float32Array(0);
  }

  take(docIds: Int32Array, count: number): void {
    const states = this.#states;
    const scores = this.#scores;
    const filter = this.#filter;
    const boosts = this.#boosts;
    const { top } = this;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const docId = docIds[i]!;
      if (states[docId] !== LIVE || (filter && !filter[docId])) continue;
      total += 1;
      const score = docId < boosts.length ? scores[docId]! + boosts[docId]! : scores[docId]!;
      if (score >= top.threshold) top.offer(docId, score);
    }
    this.total += total;
  }
}
