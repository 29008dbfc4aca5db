// All terms that were met lately, numbered, so that those of a text can be counted by number. It only grows; when it has
// become too large another one takes its place, and whoever still has numbers of the old one keeps that.
import { WordTable } from './word-table.ts';

export type MakeTerm = (word: string) => string;

const MAX_TERMS = 150_000;

export class Vocabulary {
  /** By number. */
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #tables = new Map<MakeTerm, WordTable>();
  // By mark, then by number: that of the same term with the mark before it.
  readonly #marked = new Map<string, Map<number, number>>();

  get isFull(): boolean {
    if (this.terms.length >= MAX_TERMS) return true;
    for (const table of this.#tables.values()) if (table.isFull) return true;
    return false;
  }

  /** A term gets one at the first asking. It must not be a part of a longer text: it is kept. */
  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.length;
    this.terms.push(term);
    this.#numbers.set(term, number);
    return number;
  }

  /** That of a term with a mark before it. */
  markedNumberOf(mark: string, number: number): number {
    const marked = this.#marked.get(mark) ?? new Map<number, number>();
    this.#marked.set(mark, marked);
    const own = marked.get(number) ?? this.numberOf(mark + this.terms[number]!);
    marked.set(number, own);
    return own;
  }

  /** What this rule makes of plain words. */
  plainWords(make: MakeTerm): WordTable {
    const known = this.#tables.get(make);
    if (known) return known;
    const table = new WordTable((word) => this.numberOf(make(word)));
    this.#tables.set(make, table);
    return table;
  }

  /** One with the words that were met more than once. */
  renewed(): Vocabulary {
    const fresh = new Vocabulary();
    for (const [make, table] of this.#tables) {
      const other = fresh.plainWords(make);
      other.takeUsed(table, (number) => fresh.numberOf(this.terms[number]!));
      // They have all come to be used: the next one would be as full.
      if (other.isFull || fresh.isFull) return new Vocabulary();
    }
    return fresh;
  }
}
