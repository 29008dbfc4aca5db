// How well pages and links fit a task: BM25 over the words of the task in their titles, addresses and texts.
import { eachWantedTerm } from '../../text/words/terms.ts';
import type { GatherGoal, LinkToRead, SourcePage } from './gathered.ts';
import { type TaskWord, taskWords } from './task-words.ts';

export interface Relevance {
  /** Comparable among what was scored together; 0 without a word of the task. */
  score: number;
  /** Share of the task's words, by weight and rarity, that the title, heading or address names: 0 to 1. */
  named: number;
}

interface WeightedText {
  text: string;
  weight: number;
}

interface Scored {
  texts: WeightedText[];
  language: string;
}

const WEIGHT = { title: 3, heading: 3, path: 2, description: 1, body: 1 };
/** BM25's k1 and b. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;
const MAX_BODY = 40_000;
const FIRST_HEADING = /^#{1,2}\s+(.{1,300})$/m;

export const scorePages = (goal: GatherGoal, pages: readonly SourcePage[]): Relevance[] =>
  scoreAll(taskWords(goal), pages.map(pageTexts));

export const scoreLinks = (goal: GatherGoal, links: readonly LinkToRead[]): Relevance[] =>
  scoreAll(
    taskWords(goal),
    links.map(({ url, title = '', description = '', language = '' }) => ({
      texts: [
        { text: title, weight: WEIGHT.title },
        { text: pathWords(url), weight: WEIGHT.path },
        { text: description, weight: WEIGHT.description },
      ],
      language: language.slice(0, 2),
    })),
  );

const pageTexts = ({ url, title = '', description = '', markdown, language = '' }: SourcePage): Scored => ({
  texts: [
    { text: title, weight: WEIGHT.title },
    { text: FIRST_HEADING.exec(markdown)?.[1] ?? '', weight: WEIGHT.heading },
    { text: pathWords(url), weight: WEIGHT.path },
    { text: description, weight: WEIGHT.description },
    { text: markdown.slice(0, MAX_BODY), weight: WEIGHT.body },
  ],
  language: language.slice(0, 2),
});

/** `/2026/tern-bridge_delayed.html?item=5` as words. */
export function pathWords(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  const text = `${pathname} ${search}`;
  try {
    return decodeURIComponent(text).replace(/[-_./+=&?]+/g, ' ');
  } catch {
    return text.replace(/[-_./+=&?%]+/g, ' ');
  }
}

function scoreAll(words: readonly TaskWord[], entries: readonly Scored[]): Relevance[] {
  const forms = new Map(words.flatMap((word, at) => word.forms.map((form) => [form, at] as const)));
  const found = entries.map((entry) => countWords(entry, forms, words.length));
  const average = Math.max(1, found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, found.length));
  const rarity = words.map((word, at) => {
    const holders = found.reduce((sum, { counts }) => sum + Number(counts[at]! > 0), 0);
    return word.weight * Math.log(1 + (found.length - holders + 0.5) / (holders + 0.5));
  });
  const all = rarity.reduce((sum, weight) => sum + weight, 0);
  return found.map(({ counts, named, length }) => {
    const damping = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average);
    const score = counts.reduce(
      (sum, count, at) => sum + (rarity[at]! * count * (SATURATION + 1)) / (count + damping),
      0,
    );
    const share = rarity.reduce((sum, weight, at) => sum + (named[at] ? weight : 0), 0);
    return { score, named: all === 0 ? 0 : share / all };
  });
}

interface Counted {
  counts: number[];
  named: boolean[];
  length: number;
}

function countWords({ texts, language }: Scored, forms: ReadonlyMap<string, number>, words: number): Counted {
  const counts = new Array<number>(words).fill(0);
  const named = new Array<boolean>(words).fill(false);
  let length = 0;
  for (const { text, weight } of texts) {
    eachWantedTerm(text, language, forms, (word) => {
      length += weight;
      if (word < 0) return;
      counts[word]! += weight;
      if (weight > WEIGHT.body) named[word] = true;
    });
  }
  return { counts, named, length };
}
