// What plain words (small or capital ASCII letters, digits) become, remembered by their letters: a word that was met before
// is found without being cut out of its text first, which takes longer than all else that is done with it. Everything
// about a word stands together, since words come in no order and each look is far from the last.

/** For a hash over the small letters of a word, one after the other. */
export const HASH_SEED = 0x2c1b3c6d;
export const hashed = (hash: number, code: number): number => Math.imul(hash ^ (code | SMALL), 0x01000193);
/** Turns a capital letter into a small one, and leaves digits and small letters as they are. */
const SMALL = 0x20;

// A record: the hash, the number that was made of the word and 1, whether it was met again, its length, its letters.
const RECORD = 32;
const NUMBER = 1;
const IS_USED = 8;
const LENGTH = 9;
const LETTERS = 10;
/** Longer words are rarely met twice. */
const MAX_LENGTH = RECORD - LETTERS;
const SLOTS = 1 << 17;
const MAX_WORDS = SLOTS * 0.7;

export class WordTable {
  readonly #make: (word: string) => number;
  // Made with the first word: most languages never come.
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #count = 0;

  constructor(make: (word: string) => number) {
    this.#make = make;
  }

  get isFull(): boolean {
    return this.#count >= MAX_WORDS;
  }

  /** Of the word at this place, whose small letters have this hash. */
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

  /** Puts in the words that were met more than once in another table. */
  takeUsed(other: WordTable, numberOf: (number: number) => number): void {
    for (let slot = 0; slot < other.#words.length; slot += RECORD / 4) {
      if (other.#bytes[slot * 4 + IS_USED] === 0) continue;
      const from = slot * 4 + LETTERS;
      const word = String.fromCharCode(...other.#bytes.subarray(from, from + other.#bytes[slot * 4 + LENGTH]!));
      if (this.#words.length === 0) this.#makeRoom();
      let place = slotOf(other.#words[slot]!);
      while (this.#words[place + NUMBER] !== 0) place = slotAfter(place);
      this.#put(place, word, other.#words[slot]!, numberOf(other.#words[slot + NUMBER]! - 1));
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

// Slots are counted in numbers of four bytes.
const slotOf = (hash: number): number => ((hash ^ (hash >>> 15)) & (SLOTS - 1)) * (RECORD / 4);
const slotAfter = (slot: number): number => (slot + RECORD / 4) & (SLOTS * (RECORD / 4) - 1);
