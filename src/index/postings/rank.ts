// Scores every document that has a word of the query, and keeps the best.

import { type Documents, LIVING } from './documents.ts';
import type { PostingList } from './posting-list.ts';
import type { Ranking, RankRequest } from './postings.ts';
import { lengthNorm, wordScale } from './scoring.ts';
import { Top } from './top.ts';

/** One word of a query with all its postings: lists that share no document. */
export interface LoadedWord {
  df: number;
  weight: number;
  lists: PostingList[];
}

/** A note of the documents that were met pays as long as they are few; else all numbers are gone through. Both take the
 * same time when the words have about an eighth as many postings as there are documents. */
const TOUCH_SHARE = 1 / 8;
/** Numbers that are gone through at a time. */
const BLOCK = 1024;

export class Ranker {
  readonly #documents: Documents;
  // Kept between queries, and all zero between them. Scores have 64 bits, so that the order of near-equal ones does not
  // hang on how a sum was rounded.
  #scores = new Float64Array(0);
  #covered = new Uint16Array(0);
  #touched = new Int32Array(0);

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  rank(words: readonly LoadedWord[], request: Omit<RankRequest, 'words'>): Ranking {
    this.#makeRoom();
    const { total, totalLength } = this.#documents;
    const { base, slope } = lengthNorm(total, totalLength);
    const isFew = words.reduce((sum, { df }) => sum + df, 0) < total * TOUCH_SHARE;
    let count = 0;
    for (const { df, weight, lists } of words) {
      const scale = wordScale(total, df, weight);
      for (const list of lists) {
        if (isFew) count = this.#touch(list, count);
        this.#score(list, scale, base, slope);
      }
    }
    const best = new Collector(this.#documents, this.#scores, request);
    if (isFew) best.take(this.#touched, count);
    else this.#scan(best);
    const hits = best.top.inOrder().map((hit) => ({ ...hit, covered: this.#covered[hit.number]! }));
    this.#clear(isFew ? count : undefined);
    return { hits, total: best.total };
  }

  /** The living documents that have all of the words. */
  withAll(words: readonly LoadedWord[]): number[] {
    this.#makeRoom();
    const covered = this.#covered;
    const { states } = this.#documents;
    const found: number[] = [];
    const [rarest, ...others] = words.toSorted((a, b) => a.df - b.df);
    const each = (word: LoadedWord, visit: (number: number) => void) => {
      for (const { numbers } of word.lists) for (let i = 0; i < numbers.length; i++) visit(numbers[i]!);
    };
    if (!rarest) return found;
    for (const word of others) each(word, (number) => covered[number]!++);
    each(rarest, (number) => {
      if (covered[number] === others.length && states[number] === LIVING) found.push(number);
    });
    for (const word of others) {
      each(word, (number) => {
        covered[number] = 0;
      });
    }
    return found;
  }

  #makeRoom(): void {
    const { capacity } = this.#documents;
    if (this.#scores.length === capacity) return;
    this.#scores = new Float64Array(capacity);
    this.#covered = new Uint16Array(capacity);
    this.#touched = new Int32Array(Math.ceil(capacity * TOUCH_SHARE) + BLOCK);
  }

  // Whether a document was met before is a matter of chance: this and `#scan` ask without a branch, which would mostly be
  // mispredicted and then cost more than all the rest.
  #touch({ numbers }: PostingList, from: number): number {
    const covered = this.#covered;
    const touched = this.#touched;
    let count = from;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      touched[count] = number;
      count += (covered[number]! - 1) >>> 31;
    }
    return count;
  }

  #score({ numbers, weights }: PostingList, scale: number, base: number, slope: number): void {
    const scores = this.#scores;
    const covered = this.#covered;
    const { lengths } = this.#documents;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      const f = weights[i]!;
      scores[number]! += (scale * f) / (f + base + slope * lengths[number]!);
      covered[number]!++;
    }
  }

  #scan(best: Collector): void {
    const covered = this.#covered;
    const met = this.#touched;
    const end = this.#documents.last + 1;
    for (let start = 1; start < end; start += BLOCK) {
      const stop = Math.min(end, start + BLOCK);
      let count = 0;
      for (let number = start; number < stop; number++) {
        met[count] = number;
        count += 1 - ((covered[number]! - 1) >>> 31);
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
      const number = this.#touched[i]!;
      scores[number] = 0;
      covered[number] = 0;
    }
  }
}

/** Of the documents that it is given, those that live and are admitted. */
class Collector {
  readonly top: Top;
  total = 0;
  readonly #states: Uint8Array;
  readonly #scores: Float64Array;
  readonly #admitted: Uint8Array | undefined;
  readonly #bonus: Float32Array;

  constructor(documents: Documents, scores: Float64Array, { admitted, bonus, depth }: Omit<RankRequest, 'words'>) {
    this.top = new Top(depth);
    this.#states = documents.states;
    this.#scores = scores;
    this.#admitted = admitted;
    this.#bonus = bonus ?? new Float32Array(0);
  }

  take(numbers: Int32Array, count: number): void {
    const states = this.#states;
    const scores = this.#scores;
    const admitted = this.#admitted;
    const bonus = this.#bonus;
    const { top } = this;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!;
      if (states[number] !== LIVING || (admitted && !admitted[number])) continue;
      total += 1;
      const score = number < bonus.length ? scores[number]! + bonus[number]! : scores[number]!;
      if (score >= top.floor) top.offer(number, score);
    }
    this.total += total;
  }
}
