// Lets a word that few pages have also stand for the compounds that begin with it: `Versicherung` for `Versicherungsbeitrag`.
// The language of a query is unknown, so only terms of languages count whose stems are marked.
import { foldLatin } from '../../text/words/fold-letters.ts';
import type { QueryWord } from '../../text/words/terms.ts';
import { STEM_MARK } from '../../text/words/word-rules.ts';
import { COMPOUNDS } from '../ranking/ranking-weights.ts';
import type { Census } from '../segments/census.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import type { QueryTerms } from './query-terms.ts';

export function withCompounds(
  terms: QueryTerms,
  { completions, docFrequency }: Pick<InvertedIndex, 'completions' | 'docFrequency'>,
  census: Census | undefined,
): QueryTerms {
  if (terms.words.length > COMPOUNDS.mostWords) return terms;
  const added = terms.words.map((word) => {
    const { forms } = word;
    const prefix = prefixOf(word);
    if (prefix === undefined || sum(forms.map((form) => docFrequency(form, census))) >= COMPOUNDS.few) return [];
    return completions({ prefix, most: COMPOUNDS.most, census }).filter(
      (term) =>
        term.endsWith(STEM_MARK) && term.length > prefix.length + COMPOUNDS.shortestRest && !forms.includes(term),
    );
  });
  if (added.every(({ length }) => length === 0)) return terms;
  const extend = <T extends { forms: readonly string[] }>(word: T, at: number): T => ({
    ...word,
    forms: [...word.forms, ...added[at]!],
  });
  return { ...terms, words: terms.words.map(extend), ranked: terms.ranked.map(extend) };
}

/** The shortest stem of an inflected word. A short one has to be the word itself: `Verse` begins no `Versicherung`. */
function prefixOf({ text, forms }: QueryWord): string | undefined {
  const least = (stem: string) => (stem === foldLatin(text) ? COMPOUNDS.shortestWord : COMPOUNDS.shortestStem);
  return forms
    .filter((form) => form.endsWith(STEM_MARK))
    .map((form) => form.slice(0, -1))
    .filter((stem) => stem.length >= least(stem))
    .toSorted((a, b) => a.length - b.length)[0];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
