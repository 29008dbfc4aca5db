// How well short texts fit a query, compared with each other: BM25 over these texts alone.
import { guessLanguage } from '../text/words/language.ts';
import { eachWantedTerm, type QueryWord, queryWords } from '../text/words/terms.ts';

const K1 = 1.2;
const B = 0.75;
const MAX_WORDS = 64;
const MAX_TEXT = 20_000;

interface Counted {
  /** By query word. */
  counts: Map<number, number>;
  length: number;
}

/** One number a text, from 0 (no word of the query) to 1 (the best of them). */
export function relevances(query: string, texts: readonly string[]): number[] {
  const words = createWordShares(query);
  for (const text of texts) words.add(text);
  const scores = words.shares();
  const best = Math.max(0, ...scores);
  return best === 0 ? scores : scores.map((score) => score / best);
}

export interface WordShares {
  add(text: string): void;
  /** One number a text: its share of the highest score that the query allows, from 0 (no word of it) to 1. */
  shares(): number[];
}

/** Takes the texts one by one, so that many of them need not be one long step. */
export function createWordShares(query: string): WordShares {
  const words = tellingWords(query);
  const forms = new Map(words.flatMap(({ forms: all }, number) => all.map((form) => [form, number] as const)));
  const counted: Counted[] = [];
  return {
    add(text) {
      counted.push(count(text.slice(0, MAX_TEXT), forms));
    },
    shares() {
      const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length) || 1;
      const weights = words.map((_, word) => {
        const found = counted.filter(({ counts }) => counts.has(word)).length;
        return Math.log(1 + (counted.length - found + 0.5) / (found + 0.5));
      });
      const highest = weights.reduce((sum, weight) => sum + weight, 0) || 1;
      return counted.map(({ counts, length }) => {
        const norm = K1 * (1 - B + (B * length) / average);
        return [...counts].reduce((sum, [word, times]) => sum + (weights[word]! * times) / (times + norm), 0) / highest;
      });
    },
  };
}

function tellingWords(query: string): QueryWord[] {
  const all = queryWords(query);
  const telling = all.filter(({ isStop }) => !isStop);
  const distinct = new Map((telling.length > 0 ? telling : all).map((word) => [word.forms[0], word]));
  return [...distinct.values()].slice(0, MAX_WORDS);
}

function count(text: string, forms: ReadonlyMap<string, number>): Counted {
  const counts = new Map<number, number>();
  let length = 0;
  eachWantedTerm(text, guessLanguage(text), forms, (word) => {
    length += 1;
    if (word >= 0) counts.set(word, (counts.get(word) ?? 0) + 1);
  });
  return { counts, length };
}
