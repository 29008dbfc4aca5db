// What a query says in words, for providers that spell operators in their own way. Words of titles and addresses are among
// them: they help to find what is checked afterwards.
import type { Clause, Query } from '../../../contracts/search-query.ts';
import { guessLanguage } from '../../../text/language.ts';
import { bestPassage } from '../../../text/passages.ts';
import { queryWords } from '../../../text/terms.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import { plainText } from './answer-fields.ts';

export interface Wording {
  words: string[];
  phrases: string[];
  /** What is not wanted. */
  withoutWords: string[];
  withoutPhrases: string[];
}

/** How a provider with AND, OR and NOT spells its parts. */
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

/** Words only rank: where the text is cut, they go first, and not what the provider is trusted with. */
export const rankingWordsLast = (query: Query): Query => ({
  ...query,
  clauses: query.clauses.toSorted((a, b) => weightOf(a) - weightOf(b)),
});

const weightOf = ({ kind, negated }: Clause): number => (negated ? 1 : kind === 'word' ? 2 : 0);

/** Without those that every document has, unless there are no others. */
export function contentWords(words: readonly string[]): string[] {
  const said = queryWords(words.join(' '));
  const stops = new Set(said.filter(({ isStop }) => isStop).map(({ text }) => text));
  const rest = words.filter((word) => wordsOf(word).some((part) => !stops.has(part)));
  return rest.length > 0 ? rest : [...words];
}

/** The few words of a search are all meant; a sentence as a whole stands in hardly any document. */
export const isSentence = (words: readonly string[]): boolean => words.length > MAX_ALL_MEANT;

/** With AND and OR between the words; '' when nothing is left to ask for. */
export function booleanText(wording: Wording, syntax: BooleanSyntax, mustHoldAll: boolean): string {
  const words = contentWords(wording.words).flatMap(wordsOf);
  const joined = words.map(syntax.word).join(isSentence(words) && !mustHoldAll ? ' OR ' : ' AND ');
  const phrases = wording.phrases.map(bare).filter(Boolean).map(syntax.phrase);
  const wanted = [...phrases, words.length > 1 ? `(${joined})` : joined].filter(Boolean).join(' AND ');
  if (wanted === '') return '';
  const unwanted = [
    ...wording.withoutWords.flatMap(wordsOf).map(syntax.word),
    ...wording.withoutPhrases.map(bare).filter(Boolean).map(syntax.phrase),
  ];
  return [wanted, ...unwanted].join(` ${syntax.not} `);
}

/** Of a long text the part that fits the query: what the query demands should be seen in it. */
export function descriptionOf(text: string, query: Query): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const { words, phrases } = wordingOf(query);
  const passageQuery = { words: queryWords(words.join(' ')), phrases };
  return bestPassage(text, guessLanguage(text), passageQuery, MAX_DESCRIPTION) ?? plainText(text, MAX_DESCRIPTION);
}

const bare = (phrase: string): string => wordsOf(phrase).join(' ');
