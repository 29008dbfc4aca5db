// Counts the weighted occurrences of terms, one page at a time.
import { eachTermNumber } from '../../text/words/terms.ts';
import { Vocabulary } from '../../text/words/vocabulary.ts';
import { MAX_WEIGHT } from '../ranking/bm25.ts';
import type { CountedTerms } from '../segments/inverted-index.ts';

const INITIAL_CAPACITY = 1 << 16;

export class TermCounter {
  /** Number of terms added since `start`, with repetitions. */
  length = 0;
  #vocabulary = new Vocabulary();
  #language = '';
  // Reused for all pages: weights by term id, all zero except for the terms found in the current page.
  #weights = new Int32Array(INITIAL_CAPACITY);
  #found: number[] = [];
  #order = new Uint32Array(INITIAL_CAPACITY);

  /** Begins a new page. Counts of an earlier one that were not taken are dropped. */
  start(vocabulary: Vocabulary, language: string): void {
    this.#vocabulary = vocabulary;
    this.#language = language;
    this.length = 0;
    this.#clear();
  }

  /** Returns the terms of the text in order. */
  add(text: string, weight: number): Uint32Array {
    let count = 0;
    const add = (termId: number) => {
      if (count === this.#order.length) this.#order = grown(this.#order, new Uint32Array(count * 2));
      this.#order[count++] = termId;
      this.#count(termId, weight);
    };
    // A joined word has no place in the order, where its parts stand.
    eachTermNumber(this.#vocabulary, text, this.#language, add, (termId) => this.#count(termId, weight));
    this.length += count;
    return this.#order.slice(0, count);
  }

  /** Gives each term of the text, prefixed with `mark`, at least this weight. */
  raiseMarked(mark: string, text: string, weight: number): void {
    const vocabulary = this.#vocabulary;
    const raise = (termId: number) => this.#raise(vocabulary.prefixedNumberOf(mark, termId), weight);
    eachTermNumber(vocabulary, text, this.#language, raise, raise);
  }

  raiseTerm(term: string, weight: number): void {
    this.#raise(this.#vocabulary.numberOf(term), weight);
  }

  /** Adds the counts of an earlier `take`. */
  addCounted({ termIds, weights }: CountedTerms): void {
    for (let i = 0; i < termIds.length; i++) this.#count(termIds[i]!, weights[i]!);
  }

  take(): CountedTerms {
    const termIds = Uint32Array.from(this.#found);
    const weights = new Uint8Array(termIds.length);
    for (let i = 0; i < termIds.length; i++) weights[i] = Math.min(MAX_WEIGHT, this.#weights[termIds[i]!]!);
    this.#clear();
    return { vocabulary: this.#vocabulary.terms, termIds, weights };
  }

  #count(termId: number, weight: number): void {
    if (termId >= this.#weights.length) this.#grow(termId);
    if (this.#weights[termId] === 0) this.#found.push(termId);
    this.#weights[termId]! += weight;
  }

  #raise(termId: number, weight: number): void {
    const known = this.#weights[termId] ?? 0;
    if (known < weight) this.#count(termId, weight - known);
  }

  #clear(): void {
    for (const termId of this.#found) this.#weights[termId] = 0;
    this.#found = [];
  }

  #grow(termId: number): void {
    this.#weights = grown(this.#weights, new Int32Array(Math.max(termId + 1, this.#weights.length * 2)));
  }
}

function grown<T extends Int32Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
