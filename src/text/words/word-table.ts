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
const FIRST_SLOTS = 1 << 11;
const MAX_SLOTS = 1 << 17;
const MAX_LOAD = 0.7;

export class WordTable {
  readonly #make: (word: string) => number;
  // Allocated with the first word, and doubled as words come in: most languages occur rarely or never.
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #count = 0;
  #lastSlot = 0;
  /** How many words fit before it grows. */
  #room = 0;

  constructor(make: (word: string) => number) {
    this.#make = make;
  }

  get isFull(): boolean {
    return this.#count >= MAX_SLOTS * MAX_LOAD;
  }

  /** The number of the word at this position, whose lower-case letters have this hash. */
  get(text: string, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length > MAX_LENGTH) return this.#make(text.slice(start, end).toLowerCase());
    const words = this.#words;
    if (words.length === 0) return this.#begin(text, start, end, hash);
    const last = this.#lastSlot;
    let slot = slotOf(hash, last);
    for (let number = words[slot + NUMBER]!; number !== 0; number = words[slot + NUMBER]!) {
      if (words[slot] === hash && this.#isWord(slot * 4, text, start, length)) return number - 1;
      slot = slotAfter(slot, last);
    }
    const word = text.slice(start, end).toLowerCase();
    const number = this.#make(word);
    if (!this.isFull) this.#put(this.#count < this.#room ? slot : this.#freeSlot(hash), word, hash, number);
    return number;
  }

  /** Adds the words that were used more than once in another table. */
  takeUsed(other: WordTable, numberOf: (number: number) => number): void {
    for (let slot = 0; slot < other.#words.length; slot += RECORD / 4) {
      if (other.#bytes[slot * 4 + IS_USED] === 0) continue;
      const from = slot * 4 + LETTERS;
      const word = String.fromCharCode(...other.#bytes.subarray(from, from + other.#bytes[slot * 4 + LENGTH]!));
      const hash = other.#words[slot]!;
      this.#put(this.#freeSlot(hash), word, hash, numberOf(other.#words[slot + NUMBER]! - 1));
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
    this.#grow();
    return this.get(text, start, end, hash);
  }

  /** Makes room first if the table is full. */
  #freeSlot(hash: number): number {
    if (this.#count >= this.#room) this.#grow();
    let free = slotOf(hash, this.#lastSlot);
    while (this.#words[free + NUMBER] !== 0) free = slotAfter(free, this.#lastSlot);
    return free;
  }

  #grow(): void {
    const old = this.#words;
    const slots = Math.max(FIRST_SLOTS, (old.length * 2) / (RECORD / 4));
    this.#bytes = new Uint8Array(slots * RECORD);
    this.#words = new Int32Array(this.#bytes.buffer);
    this.#lastSlot = slots - 1;
    this.#room = slots * MAX_LOAD;
    for (let slot = 0; slot < old.length; slot += RECORD / 4) {
      if (old[slot + NUMBER] !== 0) this.#words.set(old.subarray(slot, slot + RECORD / 4), this.#freeSlot(old[slot]!));
    }
  }
}

// Slots are counted in 32-bit words; `last` is the number of the last one.
const slotOf = (hash: number, last: number): number => ((hash ^ (hash >>> 15)) & last) * (RECORD / 4);
const slotAfter = (slot: number, last: number): number => (slot + RECORD / 4) & (last * (RECORD / 4) + RECORD / 4 - 1);
