// Stop words by language, and which of them a query contains.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';
import { wordsOf } from './tokenizer.ts';

const FILE = join(import.meta.dirname, '../../../data/stop-words.json');

const APOSTROPHE = /['\u2019\u02bc\uff07]/;
/** Parts of contractions after and before the apostrophe: don't, she'll, l'été, qu'il. */
const AFTER_APOSTROPHE = new Set(['s', 't', 'd', 'm', 're', 've', 'll']);
const BEFORE_APOSTROPHE = new Set(['l', 'd', 'j', 'c', 'n', 'm', 't', 's', 'qu', 'dell', 'nell', 'all', 'un']);

const FIRST_BEYOND_LATIN = '\u0370';

const languagesByWord = lazy(readLists);

/** The languages in which this is a stop word, as two-letter codes. */
export const stopWordLanguages = (word: string): readonly string[] => languagesByWord().get(word) ?? [];

function readLists(): Map<string, string[]> {
  const byWord = new Map<string, string[]>();
  for (const [language, words] of Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>)) {
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), language]);
  }
  return byWord;
}

/** A test for the words of this query, by their positions. */
export function createStopTest(query: string): (word: string, start: number, end: number) => boolean {
  const known = latinStopsOf(wordsOf(query));
  const isShouted = query === query.toUpperCase();
  return (word, start, end) => {
    // Other scripts have fewer ambiguous words: a stop word of any language counts.
    if (word >= FIRST_BEYOND_LATIN) return stopWordLanguages(word).length > 0;
    const typed = query.slice(start, end);
    // IT, US, WHO are names, unless the whole query is in capitals.
    if (!isShouted && typed.length > 1 && typed === typed.toUpperCase() && typed !== typed.toLowerCase()) return false;
    return known.has(word) || isPartOfContraction(query, word, start, end);
  };
}

/** English stop words, unless the query is clearly in another language: `die` is a search term in English. */
function latinStopsOf(words: readonly string[]): ReadonlySet<string> {
  const found = new Map<string, Set<string>>([['en', new Set()]]);
  for (const word of words) {
    for (const language of stopWordLanguages(word)) found.set(language, (found.get(language) ?? new Set()).add(word));
  }
  const english = found.get('en')!;
  const most = Math.max(...[...found.values()].map((stops) => stops.size));
  if (most < 2 || most <= english.size) return english;
  return new Set([...found.values()].filter((stops) => stops.size === most).flatMap((stops) => [...stops]));
}

function isPartOfContraction(query: string, word: string, start: number, end: number): boolean {
  const isAfter = start > 1 && APOSTROPHE.test(query[start - 1]!) && /\p{L}/u.test(query[start - 2]!);
  if (isAfter && AFTER_APOSTROPHE.has(word)) return true;
  if (!APOSTROPHE.test(query[end] ?? '') || !/\p{L}/u.test(query[end + 1] ?? '')) return false;
  return BEFORE_APOSTROPHE.has(word) || /^t(?!\p{L})/iu.test(query.slice(end + 1, end + 3));
}
