// Draws queries of several classes from the pages, each in the syntax of a search request and in that of FTS5.

import type { Conditions } from '../../src/contracts/search/search-query.ts';
import { createPageSharing } from '../../src/page/page-owner.ts';
import { createDice, type Dice } from '../../test/support/web/words.ts';
import type { Corpus } from '../corpus/corpus.ts';

export interface BenchQuery {
  /** In the syntax of a search request. */
  text: string;
  /** In the syntax of FTS5. */
  match: string;
  /** Restricts the query to this host. */
  site?: string;
  source: 'web' | 'images';
  sortByDate: boolean;
}

export const QUERY_CLASSES = [
  'one common word',
  'one rare word',
  'two words of a page',
  'three words of a page',
  'three common words',
  '1 to 8 words',
  'phrase',
  'word and site',
  'by date',
  'images',
] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

/** Sees every page of the corpus. */
export const VISIBLE = { viewer: createPageSharing({ isolatesTeams: false }).viewerOf('team'), verifiedOnly: false };

/** The conditions of a request without filters. */
export const plainConditions: Conditions = {
  sortByDate: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  country: 'US',
  language: 'en',
};

/** A common word is on at least this share of the sampled pages, a rare one on at most this many of them. */
const COMMON_SHARE = 1 / 12;
const RARE_PAGES = 2;
const SAMPLE = 1_000;
const TRIES = 50;
const PLAIN_WORD = /^[a-z]{3,}$/;

export function createQueries(corpus: Corpus, size: number, seed: number): (kind: QueryClass) => BenchQuery {
  const dice = createDice(seed);
  const { common, frequency } = sampleWords(corpus, size, createDice(1));

  /** A random English page, with its words in order. */
  const randomPage = (): { number: number; words: string[]; images: string[] } => {
    for (;;) {
      const number = dice.roll(size);
      const { language, body, images } = corpus.entry(number);
      if (language === 'en') return { number, words: wordsIn(body), images: images.map(({ alt }) => alt) };
    }
  };
  const topicalWords = (count: number): string[] => {
    const words = [...new Set(randomPage().words)].filter((word) => !isFunctionWord(word));
    return Array.from({ length: count }, () => dice.pick(words));
  };
  const isFunctionWord = (word: string) => (frequency.get(word) ?? 0) > SAMPLE / 3;
  const rareWord = (): string => {
    for (let n = 0; n < TRIES; n += 1) {
      const rare = randomPage().words.filter((word) => (frequency.get(word) ?? 0) <= RARE_PAGES);
      if (rare.length > 0) return dice.pick(rare);
    }
    throw new Error('No page has a rare word.');
  };
  const phrase = (): string => {
    for (;;) {
      const { words } = randomPage();
      const length = 2 + dice.roll(2);
      const start = dice.roll(Math.max(1, words.length - length));
      const run = words.slice(start, start + length);
      if (run.length === length && run.some((word) => !isFunctionWord(word))) return run.join(' ');
    }
  };
  const imageWords = (): string[] => {
    for (;;) {
      const words = wordsIn(randomPage().images.join(' '));
      if (words.length > 1) return words.slice(0, 2);
    }
  };

  const drawers: Record<QueryClass, () => BenchQuery> = {
    'one common word': () => all([dice.pick(common)]),
    'one rare word': () => all([rareWord()]),
    'two words of a page': () => all(topicalWords(2)),
    'three words of a page': () => all(topicalWords(3)),
    'three common words': () => any([dice.pick(common), dice.pick(common), dice.pick(common)]),
    '1 to 8 words': () => any(topicalWords(1 + dice.roll(8))),
    phrase() {
      const text = `"${phrase()}"`;
      return { ...all([]), text, match: text };
    },
    'word and site'() {
      const { number, words } = randomPage();
      const word = dice.pick(words.filter((one) => !isFunctionWord(one)));
      const site = corpus.host(number);
      return { ...all([word]), text: `${word} site:${site}`, site };
    },
    'by date': () => ({ ...all(topicalWords(1 + dice.roll(2))), sortByDate: true }),
    images: () => ({ ...all(imageWords()), source: 'images' }),
  };
  return (kind) => drawers[kind]();
}

const ask = (words: readonly string[], link: string): BenchQuery => ({
  text: words.join(' '),
  match: words.map((word) => `"${word}"`).join(link),
  source: 'web',
  sortByDate: false,
});
const all = (words: readonly string[]): BenchQuery => ask(words, ' AND ');
const any = (words: readonly string[]): BenchQuery => ask(words, ' OR ');

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => PLAIN_WORD.test(word));

/** Counts the sampled pages with each word, and lists the common words that are not function words. */
function sampleWords(corpus: Corpus, size: number, dice: Dice) {
  const frequency = new Map<string, number>();
  for (let n = 0; n < SAMPLE; n += 1) {
    const { body, language } = corpus.entry(dice.roll(size));
    if (language !== 'en') continue;
    for (const word of new Set(wordsIn(body))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const common = [...frequency]
    .filter(([, pages]) => pages >= SAMPLE * COMMON_SHARE && pages <= SAMPLE / 3)
    .map(([word]) => word);
  return { common, frequency };
}
