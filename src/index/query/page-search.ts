// Searches pages or news: finds candidates, re-ranks the best by their text, and builds the hits.
import { namesHosts } from '../../contracts/search-query.ts';
import { bestPassage, saysLess } from '../../text/passages.ts';
import type { IndexSearch, PageHit, PassageSearch } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { PageRows } from '../pages/page-rows.ts';
import { pageKey } from '../pages/url-key.ts';
import { type Candidate, diversify, isNearDuplicate } from '../ranking/diversify.ts';
import { proximity } from '../ranking/proximity.ts';
import { TEXT_MATCH } from '../ranking/ranking-weights.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import { type CandidateList, type CandidateRequest, createCandidates } from './candidates.ts';
import { visibleDocs } from './column-filter.ts';
import { type LazyPage, openLazyPage } from './lazy-page.ts';
import { type QueryTerms, queryTerms } from './query-terms.ts';
import type { RelatedPages } from './related-pages.ts';
import type { ScopeBuilder } from './search-scope.ts';
import type { CensusOf } from './viewer-census.ts';

/** How many candidates are considered. The next depth is used only if too few of them fit. */
const DEPTHS = [200, 1_000, 5_000];

export interface SearchParts {
  pageRows: PageRows;
  columns: PageColumns;
  invertedIndex: InvertedIndex;
  scopes: ScopeBuilder;
  relatedPages: RelatedPages;
  censusOf: CensusOf;
}

interface Result extends Candidate {
  page: LazyPage;
}

export function createPageSearch(parts: SearchParts): (search: IndexSearch, isNews: boolean) => PageHit[] {
  const { pageRows, columns, invertedIndex, scopes, relatedPages, censusOf } = parts;
  const candidates = createCandidates(invertedIndex, columns);

  return (search, isNews) => {
    const { query, conditions, limit } = search;
    const terms = queryTerms(query);
    const related = relatedPages.forQuery(search);
    const scope = scopes.build(search, { news: isNews }, related);
    const census = censusOf(search.viewer);
    const pages = new Map<number, LazyPage | undefined>();
    const read = (docId: number) => {
      if (!pages.has(docId)) pages.set(docId, openLazyPage(pageRows, docId));
      return pages.get(docId);
    };
    const checked = new Map<number, boolean>();
    const fits = (docId: number, page: LazyPage) => {
      const known = checked.get(docId) ?? scope.fits(docId, page);
      checked.set(docId, known);
      return known;
    };

    const gather = (request: CandidateRequest): CandidateList => {
      if (conditions.sortByDate) return candidates.byDate(request);
      if (terms.ranked.length === 0) return related.order?.(scope) ?? candidates.byStaticRank(request);
      const { isComplete, list } = candidates.byWords(request);
      return { isComplete, list: rerank(list, terms, limit, read) };
    };
    const open = (candidate: Candidate, results: readonly Result[]): Result | undefined => {
      const page = read(candidate.docId);
      if (!page || !fits(candidate.docId, page)) return undefined;
      return results.some((other) => other.page.url === page.url || isNearDuplicate(other.page.texts, page.texts))
        ? undefined
        : { ...candidate, page };
    };

    let results: Result[] = [];
    for (const depth of DEPTHS) {
      const { list, isComplete } = gather({ search, scope, census, terms, isNews, depth });
      results = diversify(list, {
        limit,
        limitHosts: !conditions.sortByDate && !namesHosts(query, conditions),
        hostOf: ({ docId }) => columns.host[docId]!,
        open,
      });
      if (isComplete || results.length >= limit) break;
    }
    return results.map((one) => toHit(one, columns, terms, search.highlights));
  };
}

const passageOf = ({ body, texts }: LazyPage, terms: QueryTerms): string | undefined =>
  terms.words.length > 0 ? bestPassage(body, texts.language, terms) : undefined;

/** The best passage of each page; null if the index does not have it, or nothing in it fits. */
export function createPassages({ pageRows, columns }: SearchParts): (wanted: PassageSearch) => (string | null)[] {
  return (wanted) => {
    const { viewer, query, urls } = wanted;
    const terms = queryTerms(query);
    const isVisible = visibleDocs(columns, wanted);
    return urls.map((url) => {
      const [docId] = viewer.flatMap((owner) => columns.docsWithKey(pageKey(owner, url))).filter(isVisible);
      const page = docId === undefined ? undefined : openLazyPage(pageRows, docId);
      return (page && passageOf(page, terms)) ?? null;
    });
  };
}

/** Boosts pages that contain all words, and those with the words close together, in proportion to the best score. */
function rerank(
  hits: readonly (Candidate & { covered: number })[],
  { words }: QueryTerms,
  limit: number,
  read: (docId: number) => LazyPage | undefined,
): Candidate[] {
  const unit = hits[0]?.score ?? 0;
  const isKeywords = words.length > 1 && words.length <= TEXT_MATCH.allWordsUpTo;
  const scored = hits.map(({ docId, score, covered }) => ({
    docId,
    covered,
    score: score + (isKeywords && covered === words.length ? unit * TEXT_MATCH.allWords : 0),
  }));
  scored.sort(byScore);
  if (words.length < 2 || words.length > TEXT_MATCH.proximityUpTo) return scored;
  const most = unit * TEXT_MATCH.proximity;
  // Pages that could not reach the results even with the full boost are not read.
  const floor = (scored[limit - 1]?.score ?? 0) - most;
  for (const candidate of scored.slice(0, TEXT_MATCH.proximityDepth)) {
    if (candidate.score < floor) break;
    const page = read(candidate.docId);
    if (page) candidate.score += most * proximity(`${page.title}\n${page.body}`, words);
  }
  return scored.sort(byScore);
}

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || b.docId - a.docId;

function toHit(results: Result, columns: PageColumns, terms: QueryTerms, highlights: boolean): PageHit {
  const { docId, score, covered, page } = results;
  const { url, title, description, texts } = page;
  const hit: PageHit = {
    url,
    title,
    description,
    date: columns.date[docId]!,
    isPublished: texts.published === 1,
    fileType: columns.types.list[columns.type[docId]!]!.split(',')[0]!,
    isVerified: columns.verified[docId] === 1,
    score,
    coverage: covered === undefined ? 1 : covered / terms.words.length,
  };
  const passage = highlights ? passageOf(page, terms) : undefined;
  if (passage !== undefined && !saysLess(passage, description, terms.words)) hit.highlight = passage;
  if (texts.image !== null) hit.imageUrl = texts.image;
  return hit;
}
