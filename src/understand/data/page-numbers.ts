// The numbers of a page, in every way in which they can be read: 1.299,00 is 1299, "2.5 million" 2500000, "1 h 30 min" 90.
import { readNumber } from '../../text/prices/prices.ts';
import { findMinutes, parseNumber } from '../json/values/read-number.ts';

const NUMBER = /\d(?:[.,'’\u00a0\u202f\u2009]?\d| (?=\d{3}(?!\d)))*/g;
const DIGITS = /\d+/g;
const NEGATIVE_BEFORE = /(?:(?<![\p{L}\p{N}]\s?)[-−–]\s?[$€£¥]?|minus\s)$/iu;
const NEGATIVE_BEHIND = /^\s?°?\s?[WS](?!\p{L})/u;
const SCALES: readonly [pattern: RegExp, factor: number][] = [
  [/^\s?(?:k|thousand|tsd|tausend|mille?)(?![\p{L}\d])/iu, 1e3],
  [/^\s?(?:m|mn|mio|mln|million\p{L}*|milion\p{L}*|millon\p{L}*|millón|milh\p{L}+)(?![\p{L}\d])/iu, 1e6],
  [/^\s?(?:b|bn|mrd|mld|billion\p{L}*|milliard\p{L}*|miliard\p{L}*)(?![\p{L}\d])/iu, 1e9],
  [/^\s?万/u, 1e4],
  [/^\s?[億亿]/u, 1e8],
  [/^\s?%/, 0.01],
];
const METRIC = /^\s?(?:[kmgt]?(?:g|m|l|w|b|wh|hz)|t)(?![\p{L}\d])/iu;
const CENTIMETRES = /^\s?cm(?![p{L}\d])/i;
const DURATION = /\d{1,4}(?:[.,]\d{1,3})?\s?\p{L}{1,9}\.?(?:,?\s?(?:and|und|et|y|e)?\s?\d{1,2}\s?\p{L}{1,9})?/gu;
const FRACTION = /(?:(\d{1,3})\s?)?([½¼¾⅓⅔⅛])|(?:(?<!\d)(\d{1,3})\s)?(?<![\d/])(\d)\/(\d{1,2})(?![\d/])/g;
const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅛': 1 / 8,
};
/** What stands around a number and changes what it says. */
const AROUND = 16;

const keyOf = (value: number): string => value.toPrecision(12);

/** Does the page say the number? A written-out one, such as "a dozen", it does not say. */
export function numbersOf(text: string): (value: number) => boolean {
  const said = new Set<string>();
  const add = (value: number | undefined): void => {
    if (value !== undefined) said.add(keyOf(value));
  };
  const plain = withPlainDigits(text);
  for (const match of plain.matchAll(NUMBER)) {
    const before = plain.slice(Math.max(0, match.index - AROUND), match.index);
    const end = match.index + match[0].length;
    for (const value of readings(match[0])) addInUnits(value, plain.slice(end, end + AROUND), add);
    if (NEGATIVE_BEFORE.test(before) || NEGATIVE_BEHIND.test(plain.slice(end, end + AROUND)))
      for (const value of readings(match[0])) add(-value);
  }
  for (const [written] of plain.matchAll(DURATION)) {
    const minutes = findMinutes(written);
    if (minutes !== undefined) for (const factor of [1, 60, 1 / 60]) add(minutes * factor);
  }
  for (const [, whole, sign, ones, top, bottom] of text.matchAll(FRACTION)) {
    const part = sign === undefined ? Number(top) / Number(bottom) : FRACTIONS[sign]!;
    if (Number.isFinite(part)) for (const digits of [2, 3, 15]) add(rounded(Number(whole ?? ones ?? 0) + part, digits));
  }
  return (value) => said.has(keyOf(value));
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Which separator is which is left open. */
export const wholeReadings = (written: string): number[] =>
  [readNumber(written), parseNumber(written, 'en'), parseNumber(written, 'de')].filter((value) => value !== undefined);

/** What is no number, such as a date, counts by its parts. */
function readings(written: string): number[] {
  const whole = wholeReadings(written);
  const isCompound = whole.length === 0 || written.includes(' ') || (written.match(/\D/g)?.length ?? 0) > 1;
  const parts = isCompound ? [...written.matchAll(DIGITS)].map(([digits]) => Number(digits)) : [];
  return [...new Set([...whole, ...parts])];
}

function addInUnits(value: number, behind: string, add: (value: number) => void): void {
  add(value);
  for (const [pattern, factor] of SCALES) if (pattern.test(behind)) add(value * factor);
  if (METRIC.test(behind)) for (const factor of [1000, 1 / 1000]) add(value * factor);
  if (CENTIMETRES.test(behind)) for (const factor of [10, 1 / 100]) add(value * factor);
}

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** Digits of other scripts become plain ones. */
export const withPlainDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const zero = ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
