// Lets a word that is still being typed stand for the terms that it may become.
import { queryWords } from '../../../text/words/terms.ts';
import type { Census } from '../../segments/census.ts';
import type { InvertedIndex } from '../../segments/inverted-index.ts';
import type { QueryTerms } from '../query-terms.ts';
import { readUnfinished } from './unfinished-word.ts';

const MOST_COMPLETIONS = 12;

export interface CompletedTerms {
  terms: QueryTerms;
  /** What the unfinished word may become, the most frequent first. */
  completions: string[];
  /** Which of `terms.words` is unfinished. */
  at: number;
}

/** `unfinished` is the last word as typed. A stop word beside others is not looked for, so it is not completed either. */
export function completeWord(
  invertedIndex: Pick<InvertedIndex, 'completions' | 'docFrequency'>,
  terms: QueryTerms,
  unfinished: string | undefined,
  census: Census | undefined,
): CompletedTerms {
  const typed = unfinished === undefined ? undefined : queryWords(unfinished).at(-1);
  const at = typed === undefined ? -1 : terms.words.findIndex(({ text }) => text === typed.text);
  const word = terms.words[at];
  if (!word) return { terms, completions: [], at };
  const { prefix, stems } = readUnfinished(word.text);
  const known = (term: string) => invertedIndex.docFrequency(term, census) > 0;
  const begun = prefix === undefined ? [] : invertedIndex.completions({ prefix, most: MOST_COMPLETIONS, census });
  const added = [...new Set([...begun, ...stems.filter(known)])].filter(
    (term) => !word.forms.includes(term) && !isStopWord(term),
  );
  const forms = [...word.forms, ...added];
  return {
    at,
    completions: added,
    terms: {
      ...terms,
      words: terms.words.with(at, { ...word, forms }),
      ranked: terms.ranked.with(at, { ...terms.ranked[at]!, forms }),
    },
  };
}

const isStopWord = (term: string): boolean => queryWords(term).some(({ isStop }) => isStop);
