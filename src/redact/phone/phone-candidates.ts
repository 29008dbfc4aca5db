// Runs of digits that are written like phone numbers, before anything is known about their meaning.

import { NOT_AFTER_WORD } from '../context.ts';

/** The longest number has 15 digits; more with a trunk zero in brackets and an international prefix. */
const MAX_DIGITS = 18;
const MIN_DIGITS = 6;
const MAX_LENGTH = 34;
/** Signs between two digits, as in `) - `. More of them separate two numbers. */
const MAX_GAP = 3;
const SEPARATOR = /[ \u00a0\u2009\u202f./()\\\u2010-\u2015·-]/;
const DIGIT = /\d/;
/** A run starts at a digit, a plus or a bracket that is not glued to a word or another number. */
const START = new RegExp(`${NOT_AFTER_WORD}(?<![#%+@$€£¥§]|\\d[.,:])(?:\\+|\\(\\+?|\\[\\+)?\\d`, 'gu');

export interface PhoneCandidate {
  start: number;
  end: number;
  /** The groups of digits, with positions. */
  groups: { start: number; end: number }[];
}

export function* phoneCandidates(text: string): Generator<PhoneCandidate> {
  START.lastIndex = 0;
  let next = 0;
  for (const match of text.matchAll(START)) {
    if (match.index < next) continue;
    const candidate = readRun(text, match.index, match.index + match[0].length - 1);
    next = candidate.end;
    const digits = candidate.groups.reduce((sum, { start, end }) => sum + end - start, 0);
    if (digits >= MIN_DIGITS && digits <= MAX_DIGITS && candidate.end - candidate.start <= MAX_LENGTH) yield candidate;
  }
}

/** " / " and " - " after this many digits stand between two numbers. */
const ENOUGH_DIGITS = 8;
const startsAnother = (gap: string, groups: PhoneCandidate['groups']): boolean =>
  /^[ \u00a0][/–-][ \u00a0]$/.test(gap) &&
  groups.reduce((sum, { start, end }) => sum + end - start, 0) >= ENOUGH_DIGITS;

/** A bracket inside a number is closed after a few digits; `172800000 (2 days)` is not one. */
function opensOnly(text: string, from: number, to: number): boolean {
  const bracket = text.slice(from, to).lastIndexOf('(');
  return bracket >= 0 && !/^\(\d{1,5}\)/.test(text.slice(from + bracket, from + bracket + 7));
}

function readRun(text: string, start: number, firstDigit: number): PhoneCandidate {
  const groups: PhoneCandidate['groups'] = [];
  let at = firstDigit;
  for (;;) {
    const from = at;
    while (at < text.length && DIGIT.test(text[at]!)) at++;
    groups.push({ start: from, end: at });
    let gap = 0;
    while (gap <= MAX_GAP && at + gap < text.length && SEPARATOR.test(text[at + gap]!)) gap++;
    if (opensOnly(text, at, at + gap)) return { start, end: at, groups };
    if (startsAnother(text.slice(at, at + gap), groups)) return { start, end: at, groups };
    if (gap === 0 || gap > MAX_GAP || !DIGIT.test(text[at + gap] ?? '')) return { start, end: at, groups };
    at += gap;
  }
}
