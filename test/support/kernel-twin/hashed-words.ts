// Hashes the words of a text in one pass, without making a string for each word. Dates, times and random ids are
// recognised here, because that takes their spelling.
import { unitClasses } from '../../../src/transform/fingerprint/character-classes.ts';

const UNITS = unitClasses();
const SIGN = 1;
const DENSE = 2;
const ZERO = 48;
const NINE = 57;

/** The sense of a word: PLAIN, FOLDED, or the number of a day or week. */
export const PLAIN = 0;
/** A year, a date, a time or an id. */
export const FOLDED = -1;
export const MAX_CALENDAR_NUMBER = 53;

export interface WordSink {
  /** The two halves of the case-insensitive hash of the word. */
  word(low: number, high: number, sense: number): void;
  /** A visible character outside words. */
  sign(code: number): void;
}

export type WordReader = (text: string) => void;

const ID_LENGTH = 16;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const UUID_LENGTH = 36;
const UUID_HYPHEN = 8;
const HYPHEN = 45;
const SPACE = 32;
const NO_BREAK_SPACE = 160;
const ORDINAL = /^\d\d?(?:st|nd|rd|th)$/i;
const TIME = /^(?:[01]?\d|2[0-4]):[0-5]\d(?!\d)/;
const YEAR = '(?:19|20|21)\\d\\d';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const DATE = new RegExp(
  [
    `^${YEAR}([-/.])${DAY}\\1${DAY}(?:t\\d.*)?$`,
    `^${DAY}([-/.])${DAY}\\2${YEAR}$`,
    `^${DAY}[-/.]${YEAR}$`,
    // With a full stop, this would be a price.
    `^${YEAR}[-/](?:\\d\\d?|${YEAR})$`,
    '^[0-3]\\d([/.])[0-3]\\d\\3\\d\\d$',
  ].join('|'),
  'i',
);
// Longer runs are neither dates nor times.
const MAX_DATE = 32;
/** Characters that may join digits within a date, time or price. */
const JOINTS = new Set([...'-/.:,'].map((sign) => sign.charCodeAt(0)));
/** A number next to one of these is an amount or a label. */
const AMOUNT_SIGNS = new Set([...'#$%£¥°€№'].map((sign) => sign.charCodeAt(0)));

// Two different hash functions, so that a collision in one half is not one in the other.
const LOW_SEED = 0x811c9dc5 | 0;
const HIGH_SEED = 0x2545f491;
export const stepLow = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
export const stepHigh = (hash: number, unit: number): number =>
  Math.imul(((hash << 5) | (hash >>> 27)) ^ unit, 0x9e3779b1);

/** The finaliser of MurmurHash3: every bit of the result depends on every bit of the value. */
export function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Hashes a text as one word. */
export function hashWhole(text: string): [low: number, high: number] {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let at = 0; at < text.length; at++) {
    low = stepLow(low, text.charCodeAt(at));
    high = stepHigh(high, text.charCodeAt(at));
  }
  return [mix(low), mix(high)];
}

/** Hashes a word of letters only, regardless of case. */
export function hashWord(word: string): [low: number, high: number] {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let at = 0; at < word.length; at++) {
    const unit = UNITS[word.charCodeAt(at)]!;
    low = stepLow(low, unit);
    high = stepHigh(high, unit);
  }
  return [mix(low), mix(high)];
}

/**
 * Longer texts are cut after `capacity` characters. To be created once, from constants only: V8 then compiles them into
 * the code, and calls nothing for each character.
 */
export function createWordReader(capacity: number, sink: WordSink): WordReader {
  const addWord = sink.word;
  const addSign = sink.sign;
  // Reading numbers from a typed array is several times as fast as reading the characters of a string.
  const codes = new Uint16Array(capacity);
  const bytes = Buffer.from(codes.buffer);

  // Each of the next functions reads the word at `start` and returns its end.

  const word = (start: number, end: number): number => {
    let low = LOW_SEED;
    let high = HIGH_SEED;
    let hasDigit = false;
    let at = start;
    for (; at < end; at++) {
      const unit = UNITS[codes[at]!]!;
      if (unit < ZERO) break;
      if (unit <= NINE) hasDigit = true;
      low = stepLow(low, unit);
      high = stepHigh(high, unit);
    }
    addWord(mix(low), mix(high), hasDigit && at - start >= ID_LENGTH ? FOLDED : PLAIN);
    return at;
  };

  const whole = (start: number, end: number, sense: number): number => {
    let low = LOW_SEED;
    let high = HIGH_SEED;
    for (let at = start; at < end; at++) {
      const code = codes[at]!;
      const unit = UNITS[code]! < ZERO ? code : UNITS[code]!;
      low = stepLow(low, unit);
      high = stepHigh(high, unit);
    }
    addWord(mix(low), mix(high), sense);
    return end;
  };

  /** May contain joints, as dates and prices do. */
  const wordFromDigit = (text: string, start: number, end: number): number => {
    let hasJoint = false;
    let hasLetter = false;
    let at = start;
    for (; at < end; at++) {
      const code = codes[at]!;
      const unit = UNITS[code]!;
      if (unit > NINE) hasLetter = true;
      else if (unit < ZERO) {
        if (!JOINTS.has(code) || at + 1 === end || !isDigit(codes[at + 1]!)) break;
        hasJoint = true;
      }
    }
    const senseOf = hasJoint ? senseOfJoined : hasLetter ? senseOfMixed : senseOfDigits;
    return whole(start, at, senseOf(text, start, at));
  };

  /** In scripts without spaces between words, pairs of characters serve as words. */
  const densePair = (start: number, end: number): number => {
    const code = codes[start]!;
    const isPair = start + 1 < end && UNITS[codes[start + 1]!] === DENSE;
    const next = isPair ? codes[start + 1]! : 0;
    addWord(mix(stepLow(code << 16, next)), mix(stepHigh(stepHigh(HIGH_SEED, code), next)), PLAIN);
    return start + (isPair ? 2 : 1);
  };

  return (text) => {
    const end = bytes.write(text, 'utf16le') >> 1;
    for (let at = 0; at < end; ) {
      const code = codes[at]!;
      const unit = UNITS[code]!;
      if (unit >= ZERO) {
        if (codes[at + UUID_HYPHEN] === HYPHEN && isUuid(text, at, end)) at = whole(at, at + UUID_LENGTH, FOLDED);
        else at = unit <= NINE ? wordFromDigit(text, at, end) : word(at, end);
      } else if (unit === DENSE) at = densePair(at, end);
      else {
        if (unit === SIGN) addSign(code);
        at += 1;
      }
    }
  };
}

const isUuid = (text: string, start: number, end: number): boolean =>
  start + UUID_LENGTH <= end && UUID.test(text.slice(start, start + UUID_LENGTH));

function senseOfDigits(text: string, start: number, end: number): number {
  const width = end - start;
  if (width >= ID_LENGTH) return FOLDED;
  if (width > 4 || isAmount(text, start, end)) return PLAIN;
  const value = Number(text.slice(start, end));
  if (width === 4) return value >= 1900 && value < 2200 ? FOLDED : PLAIN;
  return width <= 2 ? calendarNumber(value) : PLAIN;
}

function isAmount(text: string, start: number, end: number): boolean {
  const after = text.charCodeAt(end);
  const next = after === SPACE || after === NO_BREAK_SPACE ? text.charCodeAt(end + 1) : after;
  return AMOUNT_SIGNS.has(text.charCodeAt(start - 1)) || AMOUNT_SIGNS.has(next);
}

function senseOfMixed(text: string, start: number, end: number): number {
  if (end - start >= ID_LENGTH) return FOLDED;
  if (end - start > 4) return PLAIN;
  const written = text.slice(start, end);
  return ORDINAL.test(written) ? calendarNumber(Number.parseInt(written, 10)) : PLAIN;
}

function senseOfJoined(text: string, start: number, end: number): number {
  if (end - start > MAX_DATE) return PLAIN;
  const written = text.slice(start, end);
  return TIME.test(written) || DATE.test(written) ? FOLDED : PLAIN;
}

const calendarNumber = (value: number): number => (value <= MAX_CALENDAR_NUMBER ? value : PLAIN);
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
