// Counts the terms of one document at a time, by their numbers.
import { eachTermNumber } from '../../text/terms.ts';
import type { Vocabulary } from '../../text/vocabulary.ts';
import type { CountedTerms } from '../segments/inverted-index.ts';

const MAX_WEIGHT = 255;

// One array for all documents, by the numbers of terms; all zero but for the terms that were met.
let weights = new Int32Array(1 << 16);
let met: number[] = [];

export class TermCounter {
  /** How many terms were added, with repeats. */
  length = 0;
  readonly #vocabulary: Vocabulary;
  readonly #language: string;

  /** Whatever was counted before and not taken is forgotten. */
  constructor(vocabulary: Vocabulary, language: string) {
    this.#vocabulary = vocabulary;
    this.#language = language;
    forget();
  }

  /** Returns the terms of the text in order, joined by spaces. */
  add(text: string, weight: number): string {
    if (text === '') return '';
    const { terms } = this.#vocabulary;
    const found: string[] = [];
    eachTermNumber(this.#vocabulary, text, this.#language, (number) => {
      found.push(terms[number]!);
      count(number, weight);
    });
    this.length += found.length;
    return found.join(' ');
  }

  /** The terms of the text with a mark before each count at least so much. */
  raiseMarked(mark: string, text: string, weight: number): void {
    const vocabulary = this.#vocabulary;
    eachTermNumber(vocabulary, text, this.#language, (number) =>
      raise(vocabulary.markedNumberOf(mark, number), weight),
    );
  }

  raiseTerm(term: string, weight: number): void {
    raise(this.#vocabulary.numberOf(term), weight);
  }

  /** What was counted before, once more. */
  addCounted({ termIds: numbers, weights: counted }: CountedTerms): void {
    for (let i = 0; i < numbers.length; i++) count(numbers[i]!, counted[i]!);
  }

  take(): CountedTerms {
    const numbers = Uint32Array.from(met);
    const counted = new Uint8Array(numbers.length);
    for (let i = 0; i < numbers.length; i++) counted[i] = Math.min(MAX_WEIGHT, weights[numbers[i]!]!);
    forget();
    return { vocabulary: this.#vocabulary.terms, termIds: numbers, weights: counted };
  }
}

function count(number: number, weight: number): void {
  if (number >= weights.length) makeRoom(number);
  if (weights[number] === 0) met.push(number);
  weights[number]! += weight;
}

function raise(number: number, weight: number): void {
  const known = weights[number] ?? 0;
  if (known < weight) count(number, weight - known);
}

function forget(): void {
  for (const number of met) weights[number] = 0;
  met = [];
}

function makeRoom(number: number): void {
  const larger = new Int32Array(Math.max(number + 1, weights.length * 2));
  larger.set(weights);
  weights = larger;
}
