// The phrases of prompt injections, read from data/prompt-injection.json and compiled once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';
import { withoutMarks } from './fold-text.ts';

const FILE = join(import.meta.dirname, '../../../data/prompt-injection.json');

interface OverrideWords {
  /** "ignore", in forms that give an order. */
  verbs: string;
  /** "previous", "all", "your". */
  scopes: string;
  /** Scopes that leave little doubt: "previous", "above". */
  strong: string;
  all: string;
  /** "instructions", "rules". */
  things: string;
  /** Things that leave little doubt: "instructions", "prompt". */
  strongThings: string;
}

interface PhraseFile {
  override: Record<string, OverrideWords>;
  reported: string;
  directive: string;
  addressed: string[];
  demands: string[];
  markers: string[];
  topics: string[];
  /** By the Latin letter that they look like. */
  lookAlikes: Record<string, string>;
}

type Words = Record<keyof OverrideWords, RegExp>;

export interface InjectionPhrases {
  /** Finds the verbs of all languages at once. */
  verbs: RegExp;
  languages: Words[];
  /** The end of the text before a verb that only reports an order: "tells it to". */
  reported: RegExp;
  /** The end of the text before a verb that is an order all the same: "I want you to". */
  directive: RegExp;
  addressed: RegExp;
  demands: RegExp;
  markers: RegExp;
  topics: RegExp[];
}

const readFile = lazy(() => JSON.parse(readFileSync(FILE, 'utf8')) as PhraseFile);

/** Letters of other scripts, small capitals and digits that pass for Latin letters. */
export const lookAlikes = lazy(
  () => new Map(Object.entries(readFile().lookAlikes).flatMap(([letter, all]) => [...all].map((one) => [one, letter]))),
);

export const injectionPhrases: () => InjectionPhrases = lazy(() => {
  const file = readFile();
  const languages = Object.values(file.override);
  return {
    verbs: anyOf(languages.map(({ verbs }) => wholeWord(verbs))),
    languages: languages.map((words) => mapWords(words)),
    reported: new RegExp(`(?:^|[^\\p{L}])(?:${file.reported})\\s+(?:\\p{L}+ly\\s+)?$`, 'u'),
    directive: new RegExp(`(?:^|[^\\p{L}])(?:${file.directive})\\s+(?:\\p{L}+ly\\s+)?$`, 'u'),
    addressed: anyOf(file.addressed.map(bounded)),
    demands: anyOf(file.demands.map(bounded)),
    markers: anyOf(file.markers),
    topics: file.topics.map((topic) => anyOf([wholeWord(topic)])),
  };
});

const mapWords = (words: OverrideWords): Words =>
  Object.fromEntries(Object.entries(words).map(([name, pattern]) => [name, anyOf([wholeWord(pattern)])])) as Words;

const anyOf = (patterns: readonly string[]): RegExp => new RegExp(withoutMarks(patterns.join('|')), 'gu');

/** Not in the middle of a word. Scripts without spaces have no such bounds. */
const bounded = (pattern: string): string => `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d])(?:${pattern})`;

const wholeWord = (pattern: string): string => `${bounded(pattern)}(?!\\p{Script=Latin})`;
