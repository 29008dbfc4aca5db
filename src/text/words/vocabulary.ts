// Numbers the terms seen lately, so that the terms of a text can be counted by number. It only grows: a full vocabulary is
// replaced by a new one, and code that still has numbers of the old one keeps that.
import { WordTable } from './word-table.ts';

export type MakeTerm = (word: string) => string;

const MAX_TERMS = 150_000;

export class Vocabulary {
  /** By number. */
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #tables = new Map<MakeTerm, WordTable>();
  // By prefix, then by number: the number of the prefixed term.
  readonly #prefixed = new Map<string, Map<number, number>>();

  get isFull(): boolean {
    if (this.terms.length >= MAX_TERMS) return true;
    for (const table of this.#tables.values()) if (table.isFull) return true;
    return false;
  }

  /** Assigns a number on first use. The term is kept, so it must not be a slice of a longer text. */
  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.length;
    this.terms.push(term);
    this.#numbers.set(term, number);
    return number;
  }

  /** The number of a term with a prefix. */
  prefixedNumberOf(prefix: string, number: number): number {
    const prefixed = this.#prefixed.get(prefix) ?? new Map<number, number>();
    this.#prefixed.set(prefix, prefixed);
    const own = prefixed.get(number) ?? this.numberOf(prefix + this.terms[number]!);
    prefixed.set(number, own);
    return own;
  }

  /** The cache of this rule for plain words. */
  plainWords(make: MakeTerm): WordTable {
    const known = this.#tables.get(make);
    if (known) return known;
    const table = new WordTable((word) => this.numberOf(make(word)));
    this.#tables.set(make, table);
    return table;
  }

  /** A new vocabulary with the words that were seen more than once. */
  renewed(): Vocabulary {
    const fresh = new Vocabulary();
    for (const [make, table] of this.#tables) {
      const other = fresh.plainWords(make);
      other.takeUsed(table, (number) => fresh.numberOf(this.terms[number]!));
      // Almost every word was used again: the new one would be full at once.
      if (other.isFull || fresh.isFull) return new Vocabulary();
    }
    return fresh;
  }
}

/** Gives the vocabulary in use, and replaces it when it is full. */
export function createVocabularySource(): () => Vocabulary {
  let current = new Vocabulary();
  return () => {
    if (current.isFull) current = current.renewed();
    return current;
  };
}
