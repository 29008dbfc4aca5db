// Builds FTS5 expressions for phrase and field queries on the table `fts`. They use stemmed terms, as the pages do, so
// a match still has to be checked against the text.
import { eachTerm } from '../../text/terms.ts';
import { wordsOf } from '../../text/tokenizer.ts';

/** One language per kind of term analysis, since the same words may have different terms in each. */
const LANGUAGES = ['en', 'de', 'tr', 'vi', 'ru', 'hi', 'ar', 'zh', 'ja', 'ko', 'th', ''];

/** Columns with the page's own text. */
export const OWN_TEXT = ['title', 'body'] as const;
export type FtsColumn = (typeof OWN_TEXT)[number] | 'url';

/** The words as a phrase in any of the columns; undefined if the text has no words. */
export function phraseExpression(text: string, columns: readonly FtsColumn[]): string | undefined {
  const phrases = new Set<string>();
  for (const language of LANGUAGES) {
    const terms: string[] = [];
    eachTerm(text, language, (term) => terms.push(term));
    if (terms.length > 0) phrases.add(quoted(terms.join(' ')));
  }
  return phrases.size === 0 ? undefined : `${columnSet(columns)} : ${anyOf([...phrases])}`;
}

/** The words as a phrase in the URL; the last one may be a prefix. */
export function urlExpression(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : `url : ${quoted(words.join(' '))} *`;
}

export const anyOf = (expressions: readonly string[]): string =>
  expressions.length === 1 ? expressions[0]! : `(${expressions.join(' OR ')})`;

export const allOf = (expressions: readonly string[]): string => expressions.map((one) => `(${one})`).join(' AND ');

const columnSet = (columns: readonly FtsColumn[]): string => `{${columns.join(' ')}}`;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
