// Words as they stand in a text, in their normal form (NFKC, small letters), with their places. Letters, digits and marks make
// words; all else parts them (`node.js`, `l'été` are two), but for names that would be lost without their signs: `C++`, `C#`,
// `.NET`, and for letters with dots (`U.S.` is `us`). Texts and queries go through the same rules.
import {
  ALTERED,
  HANGUL,
  IDEOGRAPH,
  IGNORED,
  KIND_BITS,
  kindOf,
  MARK,
  NONE,
  PLAIN,
  UNSPACED,
  withoutIgnored,
} from './characters.ts';
import { HASH_SEED, hashed } from './word-table.ts';

/** Beside the kinds of characters: a word of ASCII letters and digits only. */
export const ASCII = 0;

type Visit = (word: string, start: number, end: number, kind: number) => void;
/** Of a word of ASCII letters and digits alone, which is not cut out yet: its place, and the hash of its small letters. */
type VisitPlain = (start: number, end: number, hash: number) => void;

const MAX_WORD = 64;
/** Where no space parts words, a piece is as long as that, and the next one goes on. */
const MAX_PIECE = 256;

const CAPITAL = 2;
const ASCII_TABLE = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Z]/.test(character) ? CAPITAL : /[a-z0-9]/.test(character) ? 1 : 0;
});
const DOT = 0x2e;
const PLUS = 0x2b;
const SHARP = 0x23;

// The iota below has no small form of its own that a tokenizer would leave alone.
const NOT_OF_WORDS = /[^\p{L}\p{N}\p{M}]+|\u0345+/gu;

/** A word may hold on to the memory of the whole text: copy what is kept for long. */
export function eachWord(text: string, visit: (word: string, start: number, end: number) => void): void {
  scanWords(text, visit);
}

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (word) => words.push(word));
  return words;
}

/** As eachWord, and says what kind of characters it is of: ASCII, PLAIN, IDEOGRAPH, HANGUL or UNSPACED. With `visitPlain`
 * the words that are most of a text come there instead. */
export function scanWords(text: string, visit: Visit, visitPlain?: VisitPlain): void {
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
    if (next >= 128 && ((kindOf(next) & KIND_BITS) !== NONE || isHighHalf(next))) at = scanRun(text, start, visit);
    else if (maySigned(text, start, at, next)) at = visitSigned(text, start, at, visit);
    else if (visitPlain && at - start <= MAX_WORD) visitPlain(start, at, hash);
    else {
      const word = text.slice(start, at - start > MAX_WORD ? start + MAX_WORD : at);
      visit((capitals & CAPITAL) === 0 ? word : word.toLowerCase(), start, at, ASCII);
    }
  }
}

/** Only single letters, `net` and what stands before a plus can be more than plain words. */
const maySigned = (text: string, start: number, end: number, next: number): boolean =>
  end - start === 1
    ? next === DOT || next === PLUS || next === SHARP
    : next === PLUS || (end - start === 3 && text.charCodeAt(start - 1) === DOT);

/** A word of ASCII that may go on with signs: `c++`, `c#`, `.net`, `u.s.`. Returns where to read on. */
function visitSigned(text: string, start: number, end: number, visit: Visit): number {
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

/** From behind the first of them on; the same place when no other single letter follows. */
function endOfInitials(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === DOT && isLetterAt(text, end + 1) && !isInWord(text, end + 2)) end += 2;
  return end;
}

const isLetterAt = (text: string, at: number): boolean => {
  const small = text.charCodeAt(at) | 0x20;
  return small >= 0x61 && small <= 0x7a;
};

/** A run of one kind that has characters beyond ASCII. Returns where to read on. */
function scanRun(text: string, from: number, visit: Visit): number {
  let start = from;
  let end = from;
  let at = from;
  let kind = NONE;
  let flags = 0;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    const entry = kindOf(point);
    const next = entry & KIND_BITS;
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
  if (end > start) {
    const whole = kind === IDEOGRAPH || kind === UNSPACED;
    const word = normalForm(text.slice(start, whole ? end : capped(text, start, end)), (flags & ALTERED) !== 0);
    if (word !== '') visit(word, start, end, kind === NONE ? PLAIN : kind);
  }
  return Math.max(at, from + 1);
}

function capped(text: string, start: number, end: number): number {
  if (end - start <= MAX_WORD) return end;
  return start + MAX_WORD - (isHighHalf(text.charCodeAt(start + MAX_WORD - 1)) ? 1 : 0);
}

/** `isAltered`: it may hold more than letters that are normal already. */
export function normalForm(word: string, isAltered = true): string {
  if (!isAltered) return word.toLowerCase();
  return withoutIgnored(word)
    .replaceAll('İ', 'i')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(NOT_OF_WORDS, '');
}

/** Whether the character at this place belongs to words; false outside of the text. */
export function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_TABLE[code] !== 0;
  return kindAt(text, at) !== NONE;
}

/** Whether a text may be cut before this place without cutting a word. Where no space parts words, between any two letters. */
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

/** NaN has no kind, nor has what is outside of the text. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_TABLE[code] === 0 ? NONE : PLAIN;
  // Of a pair, the second half stands for both: a cut between them is inside of a word.
  if (code >= 0xdc00 && code <= 0xdfff) return MARK;
  return Number.isNaN(code) ? NONE : kindOf(text.codePointAt(at)!) & KIND_BITS;
}

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
