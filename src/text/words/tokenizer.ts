// Splits text into words in normal form (NFKC, lower case), with their positions. Words consist of letters, digits and
// marks; everything else separates them (`node.js`, `l'été` are two), except in `C++`, `C#`, `.NET` and initials (`U.S.`
// is `us`). Texts and queries follow the same rules.
import {
  ALTERED,
  CLASS_BITS,
  classOf,
  HANGUL,
  IDEOGRAPH,
  IGNORED,
  MARK,
  NONE,
  PLAIN,
  UNSPACED,
  withoutIgnored,
} from './character-classes.ts';
import { HASH_SEED, hashed } from './word-table.ts';

/** In addition to the character classes: a word of ASCII letters and digits only. */
export const ASCII = 0;

type OnWord = (word: string, start: number, end: number, kind: number) => void;
/** Gets the position of a word of ASCII letters and digits, not sliced yet, and the hash of its lower-case letters. */
type OnPlainWord = (start: number, end: number, hash: number) => void;

const MAX_WORD = 64;
/** Text without spaces between words is cut into pieces of this length. */
const MAX_PIECE = 256;

const CAPITAL = 2;
const ASCII_TABLE = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Z]/.test(character) ? CAPITAL : /[a-z0-9]/.test(character) ? 1 : 0;
});
const DOT = 0x2e;
const PLUS = 0x2b;
const SHARP = 0x23;

// Includes the combining iota, whose lower-case form is a letter of its own.
const OUTSIDE_WORDS = /[^\p{L}\p{N}\p{M}]+|\u0345+/gu;

/** Words may keep the whole text in memory: copy those that live longer. */
export function eachWord(text: string, visit: (word: string, start: number, end: number) => void): void {
  scanWords(text, visit);
}

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (word) => words.push(word));
  return words;
}

/** Like eachWord, with the class of the word: ASCII, PLAIN, IDEOGRAPH, HANGUL or UNSPACED. Plain ASCII words, which are
 * most of a text, go to `visitPlain` if it is given. */
export function scanWords(text: string, visit: OnWord, visitPlain?: OnPlainWord): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code >= 128) {
      at = scanRun(text, at, visit);
      continue;
    }
    let entry = ASCII_TABLE[code]!;
    if (entry === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let capitals = 0;
    let hash = HASH_SEED;
    let next = code;
    do {
      capitals |= entry;
      hash = hashed(hash, next);
      at += 1;
      next = at < length ? text.charCodeAt(at) : 0;
      entry = next < 128 ? ASCII_TABLE[next]! : 0;
    } while (entry !== 0);
    if (next >= 128 && continuesWord(next)) at = scanRun(text, start, visit);
    else if (maySigned(text, start, at, next)) at = visitSigned(text, start, at, visit);
    else if (visitPlain && at - start <= MAX_WORD) visitPlain(start, at, hash);
    else visitAscii(text, start, at, (capitals & CAPITAL) !== 0, visit);
  }
}

function visitAscii(text: string, start: number, end: number, hasCapitals: boolean, visit: OnWord): void {
  const word = text.slice(start, Math.min(end, start + MAX_WORD));
  visit(hasCapitals ? word.toLowerCase() : word, start, end, ASCII);
}

/** Only single letters, `net` and words before a plus can include signs. */
const maySigned = (text: string, start: number, end: number, next: number): boolean =>
  end - start === 1
    ? next === DOT || next === PLUS || next === SHARP
    : next === PLUS || (end - start === 3 && text.charCodeAt(start - 1) === DOT);

/** An ASCII word that may include signs: `c++`, `c#`, `.net`, `u.s.`. Returns the position after it. */
function visitSigned(text: string, start: number, end: number, visit: OnWord): number {
  const word = text.slice(start, Math.min(end, start + MAX_WORD)).toLowerCase();
  const sign = text.charCodeAt(end);
  if (sign === PLUS && text.charCodeAt(end + 1) === PLUS && /[a-z]$/.test(word)) {
    visit(`${word}++`, start, end + 2, ASCII);
    return end + 2;
  }
  if (end - start === 1 && word >= 'a') {
    if (sign === SHARP && !isLetterAt(text, end + 1)) {
      visit(`${word}#`, start, end + 1, ASCII);
      return end + 1;
    }
    const last = sign === DOT ? endOfInitials(text, end) : end;
    if (last > end) {
      const initials = text.slice(start, Math.min(last, start + 2 * MAX_WORD - 1)).replaceAll('.', '');
      visit(initials.toLowerCase(), start, last, ASCII);
      return last;
    }
  }
  if (word === 'net' && text.charCodeAt(start - 1) === DOT && !isInWord(text, start - 2))
    visit('.net', start - 1, end, ASCII);
  else visit(word, start, end, ASCII);
  return end;
}

/** `from` is the position after the first letter. Returns it unchanged if no other single letter follows. */
function endOfInitials(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === DOT && isLetterAt(text, end + 1) && !isInWord(text, end + 2)) end += 2;
  return end;
}

const isLetterAt = (text: string, at: number): boolean => {
  const small = text.charCodeAt(at) | 0x20;
  return small >= 0x61 && small <= 0x7a;
};

/** A run of one class that has characters beyond ASCII. Returns the position after it. */
function scanRun(text: string, from: number, visit: OnWord): number {
  let start = from;
  let end = from;
  let at = from;
  let kind = NONE;
  let flags = 0;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    const entry = classOf(point);
    const next = entry & CLASS_BITS;
    if (next === NONE || (next !== kind && kind !== NONE && next !== MARK && next !== IGNORED)) break;
    at += point > 0xffff ? 2 : 1;
    if (next === IGNORED) {
      if (end === start) start = end = at;
    } else {
      if (next !== MARK) kind = next;
      end = at;
    }
    flags |= entry;
    if (end - start >= MAX_PIECE && kind !== PLAIN && kind !== HANGUL) break;
  }
  if (end > start) visitRun(text, start, end, kind, (flags & ALTERED) !== 0, visit);
  return Math.max(at, from + 1);
}

function visitRun(text: string, start: number, end: number, kind: number, isAltered: boolean, visit: OnWord): void {
  const isWhole = kind === IDEOGRAPH || kind === UNSPACED;
  const word = normalForm(text.slice(start, isWhole ? end : capped(text, start, end)), isAltered);
  if (word !== '') visit(word, start, end, kind === NONE ? PLAIN : kind);
}

function capped(text: string, start: number, end: number): number {
  if (end - start <= MAX_WORD) return end;
  return start + MAX_WORD - (isHighHalf(text.charCodeAt(start + MAX_WORD - 1)) ? 1 : 0);
}

/** `isAltered`: it may contain characters that normalisation changes. */
export function normalForm(word: string, isAltered = true): string {
  if (!isAltered) return word.toLowerCase();
  return withoutIgnored(word)
    .replaceAll('İ', 'i')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(OUTSIDE_WORDS, '');
}

/** Whether the character at this position belongs to a word; false outside the text. */
export function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_TABLE[code] !== 0;
  return kindAt(text, at) !== NONE;
}

/** Whether the text can be cut before this position without cutting a word. Scripts without spaces: between any letters. */
export function isWordBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const after = kindAt(text, at);
  if (after === NONE) return true;
  if (after === MARK || after === IGNORED) return false;
  const before = kindAt(text, at - 1);
  if (before === NONE) return true;
  if (after === IDEOGRAPH) return true;
  if (after === UNSPACED) return before !== UNSPACED || !/\p{M}/u.test(text[at]!);
  return before !== after && before !== MARK && before !== IGNORED;
}

/** NONE outside the text. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_TABLE[code] === 0 ? NONE : PLAIN;
  // The low half of a surrogate pair: a cut before it would be inside a word.
  if (code >= 0xdc00 && code <= 0xdfff) return MARK;
  return Number.isNaN(code) ? NONE : classOf(text.codePointAt(at)!) & CLASS_BITS;
}

/** A character beyond ASCII that may belong to the word before it. */
const continuesWord = (code: number): boolean => (classOf(code) & CLASS_BITS) !== NONE || isHighHalf(code);

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
