// Searches the index for people: pages with marked passages, how many there are, what they can be filtered by, how the
// words were read, and what each score consists of.

import { createDomainRanking } from '../../../urls/domain-ranking.ts';
import type { FoundPages, FoundWord, IndexFind, IndexSearch } from '../../page-index.ts';
import { pageKey } from '../../pages/url-key.ts';
import type { ScoredDoc } from '../../ranking/diversify.ts';
import { withCompounds } from '../compounds.ts';
import type { PageRanking, RankedPages, SearchParts } from '../page-ranking.ts';
import { queryTerms } from '../query-terms.ts';
import { type CompletedTerms, completeWord } from './complete-word.ts';
import { explainScore } from './explain-score.ts';
import { type CountedFacets, countFacets, countPages } from './facets.ts';
import { toFoundPage } from './found-page.ts';

const DEPTHS = [1_000, 5_000];
/** The same for every page of results, so that their order does not change from one to the next. */
const READ_AT_LEAST = 20;
/** Marks of terms that are prefixes of words. */
const MARKS = /[\ue000-\uf8ff]/g;

export function createFindPages(parts: SearchParts, ranking: PageRanking): (find: IndexFind) => FoundPages {
  const { columns, invertedIndex, censusOf } = parts;

  return (find) => {
    const { offset, limit } = find;
    const census = censusOf(find.viewer);
    const completed = completeWord(
      invertedIndex,
      withCompounds(queryTerms(find.query), invertedIndex, census),
      find.unfinished,
      census,
    );
    const { terms } = completed;
    const apart = new Set(
      find.setApart.flatMap((url) => find.viewer.flatMap((owner) => columns.docsWithKey(pageKey(owner, url)))),
    );
    const domains = createDomainRanking(...(find.rankings ?? []));
    const hostOf = (docId: number) => columns.hosts.list[columns.host[docId]!]!;
    const isBlocked = (docId: number) => domains?.actionOn(hostOf(docId)) === 'block';
    const rank = (narrowed: IndexFind, most: number, isApart: boolean): RankedPages =>
      ranking.rank({ ...narrowed, limit: most, highlights: true } satisfies IndexSearch, {
        ...{ terms, isNews: false, depths: DEPTHS, readAtLeast: most === 0 ? 0 : READ_AT_LEAST },
        select: (list: ScoredDoc[]) => {
          const kept = list.filter(({ docId }) => apart.has(docId) === isApart && !isBlocked(docId));
          return domains && !find.conditions.sortByDate ? domains.arrange(kept, ({ docId }) => hostOf(docId)) : kept;
        },
      });
    // One more than asked for tells whether there are more.
    const others = rank(find, offset + limit + 1, false);
    const isSetApart = others.results.length === 0 && apart.size > 0;
    const found = isSetApart ? rank(find, offset + limit + 1, true) : others;
    const countsOf = (ranked: RankedPages): CountedFacets => {
      const listed = isListed(ranked) ? parts.countListed?.(ranked.request, find.setApart, isSetApart) : undefined;
      return (
        listed ??
        countPages(
          columns,
          docsIn(ranked, (docId) => apart.has(docId) === isSetApart && !isBlocked(docId)),
          find.now,
        )
      );
    };
    const counts = countsOf(found);
    const { results, order } = found;
    const hasMore = results.length > offset + limit;
    const scored = order === 'date' || domains ? [] : results;
    return {
      hits: results.slice(offset, offset + limit).map((one, at) => ({
        ...toFoundPage(parts, terms, one),
        ...(order !== 'date' && { score: one.score }),
        isMovedDown: scored.slice(0, offset + at).some(({ score }) => score < one.score),
        ...(find.explain && { parts: explainScore(parts, found, one), ranking: domains?.actionOn(hostOf(one.docId)) }),
      })),
      hasMore,
      ...totalOf(found, counts.pages),
      order,
      words: foundWords(completed, (form) => invertedIndex.docFrequency(form, census)),
      isSetApart: isSetApart && results.length > 0,
      ...(find.facets && {
        facets: countFacets(find, (narrowed) => (narrowed === find ? counts : countsOf(rank(narrowed, 0, isSetApart)))),
      }),
    };
  };
}

/** Without words, everything that passes the filter is a result; with words, the candidates. */
const isListed = ({ order, request }: RankedPages): boolean =>
  order === 'rank' || (order === 'date' && request.terms.ranked.length === 0);

function docsIn(ranked: RankedPages, isWanted: (docId: number) => boolean): number[] {
  const docIds: number[] = [];
  const add = (docId: number) => {
    if (isWanted(docId)) docIds.push(docId);
  };
  if (isListed(ranked)) ranked.request.scope.each(add);
  else for (const { docId } of ranked.candidates.list) add(docId);
  return docIds;
}

/** Candidates are only opened as far as they are shown: some of the rest may repeat others, or not fit. */
function totalOf(
  { results, candidates, order, request }: RankedPages,
  pages: number,
): Pick<FoundPages, 'total' | 'totalIs'> {
  const isAllOpened = candidates.isComplete && results.length < request.search.limit;
  if (isAllOpened) return { total: results.length, totalIs: 'exact' };
  return { total: pages, totalIs: candidates.isComplete || order === 'rank' ? 'about' : 'atLeast' };
}

function foundWords({ terms, completions, at }: CompletedTerms, pagesWith: (form: string) => number): FoundWord[] {
  const wanted = terms.words.map(
    ({ text, forms }, index): FoundWord => ({
      text,
      terms: shownTerms(index === at ? forms.filter((form) => !completions.includes(form)) : forms),
      ...(index === at && completions.length > 0 && { completions: shownTerms(completions) }),
      pages: forms.reduce((sum, form) => sum + pagesWith(form), 0),
      isIgnored: false,
    }),
  );
  const ignored = terms.ignored.map((text): FoundWord => ({ text, terms: [], pages: 0, isIgnored: true }));
  return [...wanted, ...ignored];
}

const shownTerms = (forms: readonly string[]): string[] => [...new Set(forms.map((form) => form.replace(MARKS, '')))];
