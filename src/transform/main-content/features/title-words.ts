// The words of the page title, and which share of them a text has. Texts in European scripts are compared without making a
// string for each of their words.

const WORDS = /[\p{L}\p{N}]+/gu;
const SEED = 0x811c9dc5 | 0;
const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** Latin, Greek, Cyrillic, Armenian and Hebrew. Other letters are left to the regular expression. */
const TABLE_SIZE = 0x600;
const IS_WORD = Uint8Array.from({ length: TABLE_SIZE }, (_, code) =>
  /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

export class TitleWords {
  readonly #words: Set<string>;
  readonly #byHash = new Map<number, string[]>();

  constructor(title: string) {
    this.#words = new Set(title.toLowerCase().match(WORDS));
    for (const word of this.#words) {
      let hash = SEED;
      for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at));
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), word]);
    }
  }

  get size(): number {
    return this.#words.size;
  }

  /** The share of words that the text and the title have in common. */
  overlap(text: string): number {
    const lower = text.toLowerCase();
    let words = 0;
    let shared = 0;
    let hash = SEED;
    let length = 0;
    for (let at = 0; at <= lower.length; at++) {
      const code = at < lower.length ? lower.charCodeAt(at) : 0;
      if (code >= TABLE_SIZE) return this.#overlapInAnyScript(lower);
      if (IS_WORD[code] === 1) {
        hash = step(hash, code);
        length += 1;
      } else if (length > 0) {
        words += 1;
        if (this.#has(hash, lower, at - length, length)) shared += 1;
        hash = SEED;
        length = 0;
      }
    }
    return words === 0 ? 0 : shared / Math.max(words, this.size);
  }

  #has(hash: number, text: string, start: number, length: number): boolean {
    const words = this.#byHash.get(hash);
    if (words === undefined) return false;
    for (const word of words) if (word.length === length && text.startsWith(word, start)) return true;
    return false;
  }

  #overlapInAnyScript(lower: string): number {
    const words = lower.match(WORDS);
    if (!words) return 0;
    let shared = 0;
    for (const word of words) if (this.#words.has(word)) shared += 1;
    return shared / Math.max(words.length, this.size);
  }
}
