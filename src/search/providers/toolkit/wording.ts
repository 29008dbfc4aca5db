// The words of a query, for providers with their own operator syntax. Includes words of title and URL clauses, which help
// to find results that are checked afterwards.
import type { Clause, Query } from '../../../contracts/search/search-query.ts';
import { bestPassage } from '../../../text/passages/passages.ts';
import { guessLanguage } from '../../../text/words/language.ts';
import { queryWords } from '../../../text/words/terms.ts';
import { wordsOf } from '../../../text/words/tokenizer.ts';
import { plainText } from './answer-fields.ts';

export interface Wording {
  words: string[];
  phrases: string[];
  withoutWords: string[];
  withoutPhrases: string[];
}

/** How a provider with AND, OR and NOT writes words and phrases. */
export interface BooleanSyntax {
  word(word: string): string;
  phrase(phrase: string): string;
  not: string;
}

const MAX_DESCRIPTION = 500;
const MAX_ALL_MEANT = 4;

export function wordingOf({ clauses }: Query): Wording {
  const wording: Wording = { words: [], phrases: [], withoutWords: [], withoutPhrases: [] };
  for (const clause of clauses) {
    if (clause.kind === 'word') (clause.negated ? wording.withoutWords : wording.words).push(clause.text);
    else if (clause.kind === 'phrase') (clause.negated ? wording.withoutPhrases : wording.phrases).push(clause.text);
    else if ('words' in clause && !clause.negated) wording.words.push(...clause.words);
  }
  return wording;
}

/** Puts plain words last: if the text is cut, they go first, because they only rank. */
export const rankingWordsLast = (query: Query): Query => ({
  ...query,
  clauses: query.clauses.toSorted((a, b) => weightOf(a) - weightOf(b)),
});

const weightOf = ({ kind, negated }: Clause): number => (negated ? 1 : kind === 'word' ? 2 : 0);

/** Removes stop words, unless there are no others. */
export function contentWords(words: readonly string[]): string[] {
  const said = queryWords(words.join(' '));
  const stops = new Set(said.filter(({ isStop }) => isStop).map(({ text }) => text));
  const rest = words.filter((word) => wordsOf(word).some((part) => !stops.has(part)));
  return rest.length > 0 ? rest : [...words];
}

/** A few words must all match; hardly any page contains all words of a sentence. */
export const isSentence = (words: readonly string[]): boolean => words.length > MAX_ALL_MEANT;

/** Joins words with AND or OR; '' when nothing is left to ask for. */
export function booleanText(wording: Wording, syntax: BooleanSyntax, mustMatchAll: boolean): string {
  const words = contentWords(wording.words).flatMap(wordsOf);
  const joined = words.map(syntax.word).join(isSentence(words) && !mustMatchAll ? ' OR ' : ' AND ');
  const phrases = wording.phrases.map(bare).filter(Boolean).map(syntax.phrase);
  const wanted = [...phrases, words.length > 1 ? `(${joined})` : joined].filter(Boolean).join(' AND ');
  if (wanted === '') return '';
  const unwanted = [
    ...wording.withoutWords.flatMap(wordsOf).map(syntax.word),
    ...wording.withoutPhrases.map(bare).filter(Boolean).map(syntax.phrase),
  ];
  return [wanted, ...unwanted].join(` ${syntax.not} `);
}

/** The passage of a long text that matches the query best, so that the description shows why it was found. */
export function descriptionOf(text: string, query: Query): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const { words, phrases } = wordingOf(query);
  const passageQuery = { words: queryWords(words.join(' ')), phrases };
  return bestPassage(text, guessLanguage(text), passageQuery, MAX_DESCRIPTION) ?? plainText(text, MAX_DESCRIPTION);
}

const bare = (phrase: string): string => wordsOf(phrase).join(' ');
