// Numbers, amounts and days inside the sentences that speak of a field. Names and other words cannot be cut out of a
// sentence so surely: the reader proposes only what the page itself sets apart.
import { eachSentence } from '../../../../text/passages/sentences.ts';
import type { Range } from '../../../reading/readable-text.ts';
import { findDate } from '../../values/read-date.ts';
import { findAmount, findCount } from '../../values/read-number.ts';
import { nameStems } from '../field-names.ts';
import { coverage, type MatchedPlace, type TellingWords } from './telling-words.ts';
import type { ValueKind } from './value-kind.ts';

/** A sentence with a digit. */
export interface MeasuringSentence extends Range {
  stems: ReadonlySet<string>;
}

const MAX_SENTENCE = 400;
const MAX_SENTENCES = 1_000;
const MAX_PLACES = 24;

export function measuringSentences(text: string): MeasuringSentence[] {
  const found: MeasuringSentence[] = [];
  eachSentence(text, (start, end) => {
    if (end - start > MAX_SENTENCE || found.length >= MAX_SENTENCES) return;
    const sentence = text.slice(start, end);
    if (/\d/.test(sentence)) found.push({ start, end, stems: new Set(nameStems(sentence)) });
  });
  return found;
}

export interface MeasuredText {
  text: string;
  sentences: readonly MeasuringSentence[];
  language: string | undefined;
}

/** Only in sentences that say what tells the field from the others. */
export function measuredPlaces(
  { all, own }: TellingWords,
  kind: ValueKind,
  { text, sentences, language }: MeasuredText,
): MatchedPlace[] {
  const find = FINDERS[kind];
  if (!find || own.length === 0) return [];
  const places: MatchedPlace[] = [];
  for (const { start, end, stems } of sentences) {
    if (places.length >= MAX_PLACES) break;
    if (coverage(own, stems) < 1) continue;
    const sentence = text.slice(start, end);
    const named = wordPlaces(sentence, own);
    for (const at of findAll(sentence, (rest) => find(rest, language))) {
      const distance = Math.min(...named.map((word) => Math.abs(word - at.start)));
      const match = 0.4 * coverage(all, stems) + 0.4 / (1 + distance / 20);
      places.push({ start: start + at.start, end: start + at.end, match });
    }
  }
  return places.sort((a, b) => b.match - a.match);
}

function findAll(text: string, find: (text: string) => string | undefined): Range[] {
  const found: Range[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const written = find(rest);
    if (written === undefined || written === '') break;
    const start = at + rest.indexOf(written);
    at = start + written.length;
    if (!isPart(text, start, at)) found.push({ start, end: at });
  }
  return found;
}

/** "2025/26", "1:2": a part of a season, a ratio, a code. */
const isPart = (text: string, start: number, end: number): boolean =>
  /\d[/:–-]$/.test(text.slice(0, start)) || /^[/:–-]\d/.test(text.slice(end, end + 2));

const wordPlaces = (sentence: string, stems: readonly string[]): number[] =>
  [...sentence.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => nameStems(word).some((stem) => stems.includes(stem)))
    .map(({ index }) => index);

type Find = (text: string, language: string | undefined) => string | undefined;
const FINDERS: Partial<Record<ValueKind, Find>> = {
  money: findAmount,
  number: (text, language) => findCount(text, language)?.text,
  date: (text, language) => findDate(text, language)?.text,
};
