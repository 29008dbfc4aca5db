// A hash table from plain words (ASCII letters, digits) to numbers. A known word is found without slicing it out of its text,
// which would take longer than everything else done with it. Each record is contiguous, since lookups are in random order.

/** Start of a hash over the lower-case letters of a word. */
export const HASH_SEED = 0x2c1b3c6d;
export const hashed = (hash: number, code: number): number => Math.imul(hash ^ (code | SMALL), 0x01000193);
/** Turns a capital into a lower-case letter; digits and lower-case letters stay as they are. */
const SMALL = 0x20;

// A record: hash, number + 1, whether it was used again, length, letters.
const RECORD = 32;
const NUMBER = 1;
const IS_USED = 8;
const LENGTH = 9;
const LETTERS = 10;
/** Longer words rarely occur twice. */
const MAX_LENGTH = RECORD - LETTERS;
const SLOTS = 1 << 17;
const MAX_WORDS = SLOTS * 0.7;

export class WordTable {
  readonly #make: (word: string) => number;
  // Allocated with the first word: most languages never occur.
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #count = 0;

  constructor(make: (word: string) => number) {
    this.#make = make;
  }

  get isFull(): boolean {
    return this.#count >= MAX_WORDS;
  }

  /** The number of the word at this position, whose lower-case letters have this hash. */
  get(text: string, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length > MAX_LENGTH) return this.#make(text.slice(start, end).toLowerCase());
    const words = this.#words;
    if (words.length === 0) return this.#begin(text, start, end, hash);
    let slot = slotOf(hash);
    for (let number = words[slot + NUMBER]!; number !== 0; number = words[slot + NUMBER]!) {
      if (words[slot] === hash && this.#isWord(slot * 4, text, start, length)) return number - 1;
      slot = slotAfter(slot);
    }
    const word = text.slice(start, end).toLowerCase();
    const number = this.#make(word);
    if (!this.isFull) this.#put(slot, word, hash, number);
    return number;
  }

  /** Adds the words that were used more than once in another table. */
  takeUsed(other: WordTable, numberOf: (number: number) => number): void {
    for (let slot = 0; slot < other.#words.length; slot += RECORD / 4) {
      if (other.#bytes[slot * 4 + IS_USED] === 0) continue;
      const from = slot * 4 + LETTERS;
      const word = String.fromCharCode(...other.#bytes.subarray(from, from + other.#bytes[slot * 4 + LENGTH]!));
      if (this.#words.length === 0) this.#makeRoom();
      let free = slotOf(other.#words[slot]!);
      while (this.#words[free + NUMBER] !== 0) free = slotAfter(free);
      this.#put(free, word, other.#words[slot]!, numberOf(other.#words[slot + NUMBER]! - 1));
    }
  }

  #isWord(record: number, text: string, start: number, length: number): boolean {
    const bytes = this.#bytes;
    if (bytes[record + LENGTH] !== length) return false;
    for (let i = 0; i < length; i++) {
      if (bytes[record + LETTERS + i] !== (text.charCodeAt(start + i) | SMALL)) return false;
    }
    bytes[record + IS_USED] = 1;
    return true;
  }

  #put(slot: number, word: string, hash: number, number: number): void {
    const record = slot * 4;
    this.#words[slot] = hash;
    this.#words[slot + NUMBER] = number + 1;
    this.#bytes[record + LENGTH] = word.length;
    for (let i = 0; i < word.length; i++) this.#bytes[record + LETTERS + i] = word.charCodeAt(i);
    this.#count += 1;
  }

  #begin(text: string, start: number, end: number, hash: number): number {
    this.#makeRoom();
    return this.get(text, start, end, hash);
  }

  #makeRoom(): void {
    this.#bytes = new Uint8Array(SLOTS * RECORD);
    this.#words = new Int32Array(this.#bytes.buffer);
  }
}

// Slots are counted in 32-bit words.
const slotOf = (hash: number): number => ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * (RECORD / 4);
const slotAfter = (slot: number): number => (slot + RECORD / 4) & (SLOTS * (RECORD / 4) - 1);
