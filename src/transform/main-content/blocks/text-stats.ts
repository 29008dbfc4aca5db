// Text statistics in one pass over the characters: words in any script, and what distinguishes prose from labels.

const SPACE = 0;
const LETTER = 1;
const UPPER = 2;
const DIGIT = 3;
const SENTENCE_END = 4;
const COMMA = 5;
const OTHER = 6;
const DENSE = 7;

const HASH_PRIME = 0x01000193;

// A Chinese or Japanese character counts as this fraction of a word.
export const DENSE_WORD = 1 / 1.7;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[a-z]/.test(character)) return LETTER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/\d/.test(character)) return DIGIT;
  if (/[.!?]/.test(character)) return SENTENCE_END;
  if (/[,;:]/.test(character)) return COMMA;
  return OTHER;
});

function classOf(code: number): number {
  if (code < 128) return ASCII[code]!;
  if (code === 0xa0 || code === 0x3000) return SPACE;
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x0964 || code === 0x06d4 || code === 0x061f)
    return SENTENCE_END;
  if (code === 0x3001 || code === 0xff0c || code === 0xff1b || code === 0xff1a || code === 0x060c) return COMMA;
  if (code >= 0x2000 && code <= 0x2bff) return code <= 0x200a ? SPACE : OTHER;
  if ((code >= 0x3040 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0xf900 && code <= 0xfaff))
    return DENSE;
  if (code >= 0x2e80 && code <= 0x303f) return OTHER;
  if (code >= 0xff00 && code <= 0xffef) return OTHER;
  if (code < 0xc0) return OTHER;
  return LETTER;
}

/** Sums over the text of one block. `hash` ignores white space, punctuation and ASCII case. */
export interface TextStats {
  words: number;
  letters: number;
  uppers: number;
  digits: number;
  sentenceEnds: number;
  commas: number;
  others: number;
  dense: number;
  hash: number;
  /** Class of the last character that is not a space. */
  last: number;
  /** Whether the last character is part of a word that may continue in the next text. */
  inWord: boolean;
}

export const emptyStats = (): TextStats => ({
  words: 0,
  letters: 0,
  uppers: 0,
  digits: 0,
  sentenceEnds: 0,
  commas: 0,
  others: 0,
  dense: 0,
  hash: 0x811c9dc5,
  last: SPACE,
  inWord: false,
});

export const endsSentence = (stats: TextStats): boolean => stats.last === SENTENCE_END;

// A table of all UTF-16 units: a single look-up per character keeps the count cheap.
const KINDS = Uint8Array.from({ length: 65_536 }, (_, code) => classOf(code));

/** Adds a text and returns its number of words. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over every character of every page.
export function addText(stats: TextStats, text: string): number {
  const before = stats.words;
  const { length } = text;
  let { words, hash, last, inWord } = stats;
  let [uppers, digits, dense, others, sentenceEnds, commas] = [0, 0, 0, 0, 0, 0];
  let letters = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code]!;
    if (kind === SPACE) {
      inWord = false;
      continue;
    }
    last = kind;
    if (kind === LETTER) {
      letters += 1;
      if (!inWord) words += 1;
      inWord = true;
      hash = Math.imul(hash ^ code, HASH_PRIME);
    } else if (kind <= DIGIT) {
      if (!inWord) words += 1;
      inWord = true;
      if (kind === UPPER) uppers += 1;
      else digits += 1;
      hash = Math.imul(hash ^ (kind === UPPER ? code + 32 : code), HASH_PRIME);
    } else {
      inWord = false;
      if (kind === DENSE) {
        words += DENSE_WORD;
        dense += 1;
        hash = Math.imul(hash ^ code, HASH_PRIME);
      } else if (kind === SENTENCE_END) sentenceEnds += 1;
      else if (kind === COMMA) commas += 1;
      else others += 1;
    }
  }
  stats.words = words;
  stats.letters += letters;
  stats.uppers += uppers;
  stats.digits += digits;
  stats.sentenceEnds += sentenceEnds;
  stats.commas += commas;
  stats.others += others;
  stats.dense += dense;
  stats.hash = hash;
  stats.last = last;
  stats.inWord = inWord;
  return words - before;
}
