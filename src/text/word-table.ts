// What plain words (small or capital ASCII letters, digits) become, remembered by their letters: a word that was met before
// is found without being cut out of its text first, which takes longer than all else that is done with it.

/** Longer ones are rarely met twice. */
const MAX_LENGTH = 24;
const MAX_WORDS = 100_000;
const SLOTS = 1 << 18;
const MAX_BYTES = MAX_WORDS * 12;
/** Turns a capital letter into a small one, and leaves digits and small letters as they are. */
const SMALL = 0x20;

/** For a hash over the small letters of a word, one after the other. */
export const HASH_SEED = 0x2c1b3c6d;
export const hashed = (hash: number, code: number): number => Math.imul(hash ^ (code | SMALL), 0x01000193);

export class WordTable {
  readonly #make: (word: string) => string;
  // Made with the first word: most languages never come. A slot is a hash and the entry that has it, side by side.
  #slots = new Int32Array(0);
  #starts = new Int32Array(0);
  #letters = new Uint8Array(0);
  #used = new Uint8Array(0);
  #terms: string[] = [];

  constructor(make: (word: string) => string) {
    this.#make = make;
  }

  /** Of the word at this place, whose small letters have this hash. */
  get(text: string, start: number, end: number, hash: number): string {
    if (end - start > MAX_LENGTH) return this.#make(text.slice(start, end).toLowerCase());
    if (this.#slots.length === 0) this.#begin();
    const slots = this.#slots;
    for (let slot = slotOf(hash); slots[slot + 1] !== 0; slot = slotAfter(slot)) {
      if (slots[slot] !== hash || !this.#isWord(slots[slot + 1]!, text, start, end)) continue;
      this.#used[slots[slot + 1]!] = 1;
      return this.#terms[slots[slot + 1]!]!;
    }
    return this.#add(text.slice(start, end).toLowerCase(), hash);
  }

  #isWord(entry: number, text: string, start: number, end: number): boolean {
    const letters = this.#letters;
    const from = this.#starts[entry]!;
    if (this.#starts[entry + 1]! - from !== end - start) return false;
    for (let at = start, own = from; at < end; at++, own++) {
      if (letters[own] !== (text.charCodeAt(at) | SMALL)) return false;
    }
    return true;
  }

  #add(word: string, hash: number): string {
    const term = this.#make(word);
    const isFull = this.#terms.length > MAX_WORDS || this.#starts[this.#terms.length]! + MAX_LENGTH > MAX_BYTES;
    if (isFull) this.#forgetUnused();
    this.#put(word, hash, term);
    return term;
  }

  #put(word: string, hash: number, term: string): void {
    const entry = this.#terms.length;
    const from = this.#starts[entry]!;
    let slot = slotOf(hash);
    while (this.#slots[slot + 1] !== 0) slot = slotAfter(slot);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = entry;
    for (let at = 0; at < word.length; at++) this.#letters[from + at] = word.charCodeAt(at);
    this.#starts[entry + 1] = from + word.length;
    this.#terms.push(term);
  }

  /** Those that came once and never again make room; when there are no such, all do. */
  #forgetUnused(): void {
    const [slots, starts, letters, used, terms] = [this.#slots, this.#starts, this.#letters, this.#used, this.#terms];
    this.#begin();
    const kept = used.reduce((sum, one) => sum + one, 0);
    if (kept > MAX_WORDS / 2) return;
    const hashes = new Int32Array(terms.length);
    for (let slot = 0; slot < slots.length; slot += 2) hashes[slots[slot + 1]!] = slots[slot]!;
    for (let entry = 1; entry < terms.length; entry++) {
      if (used[entry] === 0) continue;
      const word = String.fromCharCode(...letters.subarray(starts[entry], starts[entry + 1]));
      this.#put(word, hashes[entry]!, terms[entry]!);
    }
  }

  #begin(): void {
    this.#slots = new Int32Array(SLOTS * 2);
    this.#starts = new Int32Array(MAX_WORDS + 3);
    this.#letters = new Uint8Array(MAX_BYTES);
    this.#used = new Uint8Array(MAX_WORDS + 2);
    // No word is at 0: an empty slot points there.
    this.#terms = [''];
  }
}

const slotOf = (hash: number): number => ((hash ^ (hash >>> 15)) & (SLOTS - 1)) << 1;
const slotAfter = (slot: number): number => (slot + 2) & (SLOTS * 2 - 1);
