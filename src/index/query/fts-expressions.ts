// Questions to the table `fts`, in its language: which documents have these terms, where, in this order.
// Terms are made as they were for the pages. They are stems, so that an answer is only what may fit.
import { eachTerm } from '../../text/terms.ts';
import { wordsOf } from '../../text/words.ts';

/** One for each way in which terms are made: the same words give other terms in other languages. */
const LANGUAGES = ['en', 'de', 'tr', 'vi', 'ru', 'hi', 'ar', 'zh', 'ja', 'ko', 'th', ''];

/** What a page says itself. */
export const OWN_TEXT = ['title', 'body'] as const;
export type FtsColumn = (typeof OWN_TEXT)[number] | 'url';

/** The words side by side, in any of these places; undefined when there is none to look for. */
export function phraseExpression(text: string, columns: readonly FtsColumn[]): string | undefined {
  const phrases = new Set<string>();
  for (const language of LANGUAGES) {
    const terms: string[] = [];
    eachTerm(text, language, (term) => terms.push(term));
    if (terms.length > 0) phrases.add(quoted(terms.join(' ')));
  }
  return phrases.size === 0 ? undefined : `${columnSet(columns)} : ${anyOf([...phrases])}`;
}

/** Words of the address, the last one perhaps only begun. */
export function urlExpression(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : `url : ${quoted(words.join(' '))} *`;
}

export const anyOf = (expressions: readonly string[]): string =>
  expressions.length === 1 ? expressions[0]! : `(${expressions.join(' OR ')})`;

export const allOf = (expressions: readonly string[]): string => expressions.map((one) => `(${one})`).join(' AND ');

const columnSet = (columns: readonly FtsColumn[]): string => `{${columns.join(' ')}}`;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
