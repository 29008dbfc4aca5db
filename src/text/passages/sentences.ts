// Finds sentence boundaries. A line break always ends a sentence; abbreviations, initials and list numbers do not.

import { lazy } from '../../util/lazy.ts';
import { MONTH_NAMES } from '../dates/read-date.ts';

const LINE_BREAKS = '\n\r\v\f\u2028\u2029';
/** End a sentence if a space follows. */
const TERMINATORS = '.!?…؟۔।॥։።។။';
/** End a sentence whatever follows. */
const FULL_STOPS = '。！？｡';
const CLOSERS = '"\'”’»)]}」』）】》';
const END = 1;
const FULL = 2;
const CLOSER = 3;
const BREAK = 4;
/** By character code: a table, since every character of a text is looked up. */
const MARKS = new Uint8Array(0x10000);
for (const [characters, mark] of [
  [TERMINATORS, END],
  [FULL_STOPS, FULL],
  [CLOSERS, CLOSER],
  [LINE_BREAKS, BREAK],
] as const) {
  for (const character of characters) MARKS[character.charCodeAt(0)] = mark;
}
const DOT = 0x2e;

const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc inc ltd co corp al ed eds cf ca approx dept est gen gov sen rep rev hon ' +
    'jan feb apr jun jul aug sep sept oct nov dec tue wed thu fri ave blvd rd mt ft bzw usw str evtl ggf inkl sog vgl ' +
    'zzgl mme mlle ste env sra sres srta ud uds dott гг тыс млн руб'
  ).split(' '),
);
/** Abbreviations only before a number. */
const BEFORE_NUMBERS = new Set('no nos nr fig figs vol pp p art abs bd ch sec pág núm mar стр см'.split(' '));
const LONGEST_ABBREVIATION = 6;

/** In order, without surrounding spaces. */
export function eachSentence(text: string, visit: (start: number, end: number) => void): void {
  let start = 0;
  let at = 0;
  const finish = (end: number) => {
    visitTrimmed(text, start, end, visit);
    start = end;
  };
  const { length } = text;
  while (at < length) {
    const mark = MARKS[text.charCodeAt(at)]!;
    if (mark === 0 || mark === CLOSER) {
      at += 1;
      continue;
    }
    if (mark === BREAK) {
      finish(at);
      at += 1;
      continue;
    }
    let end = at + 1;
    let isFull = mark === FULL;
    for (let next = markAt(text, end); next === END || next === FULL || next === CLOSER; next = markAt(text, end)) {
      isFull ||= next === FULL;
      end += 1;
    }
    if (isFull || (isSpace(text, end) && !goesOn(text, end) && !isAbbreviated(text, start, at, end))) finish(end);
    at = end;
  }
  finish(text.length);
}

/** 0 after the end. */
const markAt = (text: string, at: number): number => (at < text.length ? MARKS[text.charCodeAt(at)]! : 0);

function visitTrimmed(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let start = from;
  let end = to;
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  if (end > start) visit(start, end);
}

/** The end of the text counts as a space. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return !(code > 0x20) || (code >= 0x80 && /\s/.test(text[at]!));
}

/** A lower-case letter follows, so the sentence has not ended. */
function goesOn(text: string, from: number): boolean {
  const sign = nextSign(text, from);
  const code = sign.charCodeAt(0);
  return code < 128 ? code >= 0x61 && code <= 0x7a : LOWER_CASE.test(sign);
}

const LOWER_CASE = /\p{Ll}/u;

/** The character after at most three spaces; '' at the end. */
function nextSign(text: string, from: number): string {
  let at = from;
  while (at < from + 3 && at < text.length && isSpace(text, at)) at += 1;
  return text[at] ?? '';
}

function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 128) return /[\p{L}\p{N}]/u.test(text[at]!);
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Whether the dot belongs to the word before it. */
function isAbbreviated(text: string, start: number, dot: number, end: number): boolean {
  if (text.charCodeAt(dot) !== DOT) return false;
  let from = dot;
  while (from > start && dot - from <= LONGEST_ABBREVIATION && isLetterOrDigit(text, from - 1)) from -= 1;
  // Most sentences end in a longer word.
  if (dot - from > LONGEST_ABBREVIATION) return false;
  const word = text.slice(from, dot).toLowerCase();
  if (/^\p{L}$/u.test(word) || ABBREVIATIONS.has(word)) return true;
  if (BEFORE_NUMBERS.has(word)) return /\d/.test(nextSign(text, end));
  if (/^\d{1,3}$/.test(word)) return text.slice(start, from).trim() === '' || isMonth(text, end);
  return isInBrackets(text, from, end);
}

/** "3. April": the month of a day. */
function isMonth(text: string, from: number): boolean {
  const next = /^\s{1,3}(\p{L}{3,12})/u.exec(text.slice(from, from + LONGEST_MONTH))?.[1];
  return next !== undefined && months().has(next.toLowerCase());
}

const LONGEST_MONTH = 16;
const months = lazy(() => new Set(MONTH_NAMES));

/** "(min. 2 persons, max. 8)": a short word in brackets that go on. */
const isInBrackets = (text: string, from: number, end: number): boolean =>
  /[([（][^()[\]\n]*$/.test(text.slice(Math.max(0, from - LONGEST_BRACKETS), from)) &&
  /^[^()[\]\n]*[)\]）]/.test(text.slice(end, end + LONGEST_BRACKETS));

const LONGEST_BRACKETS = 60;
