// What the model takes for a name without reason: it was trained on sentences and addresses, and pages are full of article
// codes, long numbers and words that label the fields of forms and tables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guessLanguage } from '../../text/words/language.ts';
import { stopWordLanguages } from '../../text/words/stop-words.ts';
import { lazy } from '../../util/lazy.ts';
import type { LabelledSpan } from './label-spans.ts';

const FIELD_WORDS = join(import.meta.dirname, '../../../data/field-words.json');
const PART = /[^\s|,;:()[\]"«»„“”]+/g;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
/** `GD-1686-02`, `ZQ9298`: no name mixes capitals and digits like this. */
const CODE = /^(?=.*\d)(?=.*\p{Lu})[\p{Lu}\d./-]{4,}$/u;
/** D-10115, CH-8001, 1012AB, SW1A. */
const POSTCODE = /^(?:(?:A|B|D|E|F|I|L|AT|BE|CH|DE|ES|FR|IT|LU|NL)-\d{4,5}|\d{4}\p{Lu}{2}|\p{Lu}{1,2}\d{1,2}\p{Lu}?)$/u;
const LONG_NUMBER = /\d{6}/;
/** `Oslo`, or a script without capitals. */
const CAPITALISED = /\p{Lu}[\p{Ll}\p{M}'’]|\p{Lo}/u;
/** `OSLO, NORWAY`. Shorter ones are mostly abbreviations of other things: IBAN, SKU. */
const CAPITALS = /^\p{Lu}{5,}$/u;
const ABBREVIATED = new Set(['USA', 'US', 'U.S', 'UK', 'U.K', 'UAE', 'EU', 'NYC', 'DDR', 'UdSSR']);

/** The beginning of a line, a table cell or a sentence. */
const BEGINNING = /(?:^|[\n|.!?:>"«„“(])[\s*_#>|-]*$/u;
const LOOK_BACK = 40;
/** Any word has a capital letter there, so the model has to be surer of a place. */
const MIN_SCORE_AT_BEGINNING = 0.7;

interface Strictness {
  /** Rather too many findings than too few. */
  isEager: boolean;
}

interface Part {
  word: string;
  start: number;
  end: number;
}

const fieldWords = lazy(() => {
  const { about: _, codes = '', ...lists } = JSON.parse(readFileSync(FIELD_WORDS, 'utf8')) as Record<string, string>;
  const words = Object.values(lists).flatMap((list) => list.split(' '));
  return { words: new Set(words), codes: new Set(codes.split(' ')) };
});

/** The parts of the spans that can be names. */
export function plausibleSpans(text: string, spans: readonly LabelledSpan[], { isEager }: Strictness): LabelledSpan[] {
  const language = guessLanguage(text);
  return spans.flatMap((span) =>
    splitAtCodes(partsOf(text, span)).flatMap((some): LabelledSpan[] => {
      const parts = trim(some);
      if (!parts.some(({ word }) => isNameWord(word, span.type, language))) return [];
      const named = { ...span, start: parts[0]!.start, end: parts.at(-1)!.end };
      const isSure = isEager || span.type !== 'LOCATION' || span.score >= MIN_SCORE_AT_BEGINNING;
      return isSure || !isBeginning(text, named.start) ? [named] : [];
    }),
  );
}

function partsOf(text: string, { start, end }: LabelledSpan): Part[] {
  return [...text.slice(start, end).matchAll(PART)].flatMap((match) => {
    const word = match[0].replace(EDGES, '');
    const from = start + match.index + match[0].indexOf(word);
    return word === '' ? [] : [{ word, start: from, end: from + word.length }];
  });
}

const isCode = (word: string): boolean =>
  (CODE.test(word) && !POSTCODE.test(word)) || LONG_NUMBER.test(word) || fieldWords().codes.has(word.toLowerCase());

function splitAtCodes(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [[]];
  for (const part of parts) {
    if (isCode(part.word)) groups.push([]);
    else groups.at(-1)!.push(part);
  }
  return groups;
}

/** Without stop words in lower case at the ends: no name begins or ends with them. */
function trim(parts: readonly Part[]): readonly Part[] {
  const isLoose = ({ word }: Part) => word === word.toLowerCase() && stopWordLanguages(word).length > 0;
  let [first, last] = [0, parts.length];
  while (first < last && isLoose(parts[first]!)) first++;
  while (last > first && isLoose(parts[last - 1]!)) last--;
  return parts.slice(first, last);
}

/** The span is not the label of a field or a stop word of the page, and a place is written like one. */
function isNameWord(word: string, type: LabelledSpan['type'], language: string): boolean {
  const lower = word.toLowerCase();
  if (fieldWords().words.has(lower) || stopWordLanguages(lower).includes(language)) return false;
  if (type !== 'LOCATION') return /\p{L}/u.test(word);
  return CAPITALISED.test(word) || CAPITALS.test(word) || ABBREVIATED.has(word);
}

const isBeginning = (text: string, start: number): boolean =>
  BEGINNING.test(text.slice(Math.max(0, start - LOOK_BACK), start));
