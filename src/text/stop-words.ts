// Words that are everywhere and say little, by language, and which of them a query has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from './words.ts';

const FILE = join(import.meta.dirname, '../../data/stop-words.json');

const APOSTROPHE = /['\u2019\u02bc\uff07]/;
/** What is left of words that were written together, and what stands before them: don't, she'll, l'été, qu'il. */
const BEHIND_APOSTROPHE = new Set(['s', 't', 'd', 'm', 're', 've', 'll']);
const BEFORE_APOSTROPHE = new Set(['l', 'd', 'j', 'c', 'n', 'm', 't', 's', 'qu', 'dell', 'nell', 'all', 'un']);

const FIRST_BEYOND_LATIN = '\u0370';

let languages: ReadonlyMap<string, string[]> | undefined;

/** The languages that have such a word, two letters each. */
export function languagesWithStop(word: string): readonly string[] {
  languages ??= readLists();
  return languages.get(word) ?? [];
}

function readLists(): Map<string, string[]> {
  const byWord = new Map<string, string[]>();
  for (const [language, words] of Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>)) {
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), language]);
  }
  return byWord;
}

/** A test for the words of this very query, by their places. */
export function createStopTest(query: string): (word: string, start: number, end: number) => boolean {
  const known = latinStopsOf(wordsOf(query));
  const isShouted = query === query.toUpperCase();
  return (word, start, end) => {
    // In other scripts there is less to confuse: a word of any of their lists counts.
    if (word >= FIRST_BEYOND_LATIN) return languagesWithStop(word).length > 0;
    const typed = query.slice(start, end);
    // IT, US, WHO: names, when the rest is not in capitals too.
    if (!isShouted && typed.length > 1 && typed === typed.toUpperCase() && typed !== typed.toLowerCase()) return false;
    return known.has(word) || isPartOfContraction(query, word, start, end);
  };
}

/** English ones count, unless the query is clearly in another language: `die` and `was` are words to search for in English. */
function latinStopsOf(words: readonly string[]): ReadonlySet<string> {
  const found = new Map<string, Set<string>>([['en', new Set()]]);
  for (const word of words) {
    for (const language of languagesWithStop(word)) found.set(language, (found.get(language) ?? new Set()).add(word));
  }
  const english = found.get('en')!;
  const most = Math.max(...[...found.values()].map((stops) => stops.size));
  if (most < 2 || most <= english.size) return english;
  return new Set([...found.values()].filter((stops) => stops.size === most).flatMap((stops) => [...stops]));
}

function isPartOfContraction(query: string, word: string, start: number, end: number): boolean {
  const isBehind = start > 1 && APOSTROPHE.test(query[start - 1]!) && /\p{L}/u.test(query[start - 2]!);
  if (isBehind && BEHIND_APOSTROPHE.has(word)) return true;
  if (!APOSTROPHE.test(query[end] ?? '') || !/\p{L}/u.test(query[end + 1] ?? '')) return false;
  return BEFORE_APOSTROPHE.has(word) || /^t(?!\p{L})/iu.test(query.slice(end + 1, end + 3));
}
