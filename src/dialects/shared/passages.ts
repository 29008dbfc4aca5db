// The passages of a page that fit a query best, for wires that take a number of them. The format `highlights` has found them,
// in the order of the page.
import { bestPassages } from '../../text/passages/passages.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { queryWords } from '../../text/words/terms.ts';

const LONGEST = 500;

/** The best one first; undefined if there are none. */
export function bestOf(highlights: string | undefined, query: string, count: number): string[] | undefined {
  const text = highlights ?? '';
  if (text === '') return undefined;
  const words = { words: queryWords(query), phrases: [] };
  const best = bestPassages(text, guessLanguage(text), words, count, LONGEST).map((passage) => passage.text);
  // They may fit by their meaning without a word of the query.
  return best.length > 0 ? best : text.split(/\n{2,}/).slice(0, count);
}
