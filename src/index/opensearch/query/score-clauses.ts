// How OpenSearch finds the best candidates: by BM25 with our weights of words, and by our boosts. Its scores are close to
// ours, which decide the order later.

import { DEFAULT_LANGUAGE } from '../../../contracts/search/search-query.ts';
import { wordFactor } from '../../ranking/bm25.ts';
import { type BoostRequest, freshnessRule, namesOfHosts } from '../../ranking/boosts.ts';
import { BOOSTS } from '../../ranking/ranking-weights.ts';
import type { RankedWord } from '../../segments/inverted-index.ts';
import { indexedTerm, wordField } from '../ingest/page-document.ts';
import type { OpenSearchClause } from './filter-clauses.ts';

/** How many documents have a term: of those that the viewer may see, and of all. */
export interface TermCount {
  visible: number;
  all: number;
}

export interface Statistics {
  /** Visible pages, the sum of their lengths, and all pages. */
  total: number;
  totalLength: number;
  all: number;
  countOf(term: string): TermCount | undefined;
}

/** OpenSearch refuses more than 1,024 clauses. The words that tell the least are left out of the first choice. */
const MOST_CLAUSES = 900;

/** One clause for each form of a word that is on any page, the most telling first. */
export function wordClauses(words: readonly RankedWord[], statistics: Statistics): OpenSearchClause[] {
  const clauses = words.flatMap(({ forms, weight }) => {
    const visible = forms.reduce((sum, form) => sum + (statistics.countOf(form)?.visible ?? 0), 0);
    const factor = wordFactor(statistics.total, visible, weight);
    return forms
      .filter((form) => (statistics.countOf(form)?.visible ?? 0) > 0)
      .map((form) => ({ form, factor, boost: factor / idf(statistics.all, statistics.countOf(form)!.all) }));
  });
  return clauses
    .sort((a, b) => b.factor - a.factor)
    .slice(0, MOST_CLAUSES)
    .map(({ form, boost }) => ({ term: { [wordField(form)]: { value: indexedTerm(form), boost } } }));
}

/** What OpenSearch multiplies the score of a term with. */
const idf = (docs: number, df: number): number => Math.max(1e-3, Math.log(1 + (docs - df + 0.5) / (df + 0.5)));

/** Documents that have all words. */
export const allWordsClauses = (words: readonly RankedWord[]): OpenSearchClause[] =>
  words.map(({ forms }) => ({ terms: { [wordField(forms[0]!)]: forms.map(indexedTerm) } }));

export function boostClauses({ conditions, words, isNews, now, scale }: BoostRequest): OpenSearchClause[] {
  const { weight, halfLife } = freshnessRule(isNews);
  const { country, language = DEFAULT_LANGUAGE } = conditions;
  const constant = (filter: OpenSearchClause | OpenSearchClause[], boost: number): OpenSearchClause => ({
    constant_score: { filter: { bool: { filter } }, boost: boost * scale },
  });
  const readable = language === '' ? [] : [{ terms: { language: [language, ''] } }];
  const names = namesOfHosts(words);
  return [
    {
      function_score: {
        query: { match_all: {} },
        field_value_factor: { field: 'rank', factor: scale, missing: 1 },
        boost_mode: 'replace',
      },
    },
    { distance_feature: { field: 'date', origin: now, pivot: `${halfLife}ms`, boost: weight * scale } },
    ...(language === '' ? [] : [constant({ term: { language } }, BOOSTS.language)]),
    ...(country === '' ? [] : [constant([{ term: { countries: country } }, ...readable], BOOSTS.country)]),
    ...(names.length === 0
      ? []
      : [
          constant([{ terms: { siteName: names } }, { term: { isFrontPage: true } }], BOOSTS.namedHome),
          constant([{ terms: { siteName: names } }, { term: { isFrontPage: false } }], BOOSTS.namedHost),
        ]),
  ];
}
