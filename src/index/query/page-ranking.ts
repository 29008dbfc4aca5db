// The pages that fit a search, best first: finds candidates, re-ranks the best by their text, and leaves out what does not
// fit or repeats another.
import { namesHosts } from '../../contracts/search/search-query.ts';
import type { TextVector } from '../../text/text-vectors.ts';
import type { ByMeaning } from '../meaning/by-meaning.ts';
import type { FoundPages, IndexSearch } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { PageRows } from '../pages/page-rows.ts';
import { diversify, isNearDuplicate, type ScoredDoc } from '../ranking/diversify.ts';
import { proximity } from '../ranking/proximity.ts';
import { MEANING, TEXT_MATCH } from '../ranking/ranking-weights.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import type { CandidateList, CandidateRequest, Candidates } from './candidates.ts';
import type { CountedFacets } from './find/facets.ts';
import { type LazyPage, openLazyPage } from './lazy-page.ts';
import type { QueryTerms } from './query-terms.ts';
import type { RelatedPages } from './related-pages.ts';
import type { ScopeBuilder, SearchScope } from './search-scope.ts';
import type { CensusOf } from './viewer-census.ts';

/** What a search reads: the embedded index at once, or what was fetched for it from an index elsewhere. */
export interface SearchParts {
  pageRows: Pick<PageRows, 'texts' | 'content' | 'images' | 'anchors'>;
  columns: PageColumns;
  invertedIndex: Pick<InvertedIndex, 'docFrequency' | 'wordScore' | 'completions'>;
  candidates: Candidates;
  byMeaning: ByMeaning;
  /** Counts all pages of a scope, where that takes more than reading the columns; undefined if they do. */
  countListed?(request: CandidateRequest, apartUrls: readonly string[], isApart: boolean): CountedFacets | undefined;
  scopes: ScopeBuilder;
  relatedPages: RelatedPages;
  censusOf: CensusOf;
}

export interface RankedPage extends ScoredDoc {
  page: LazyPage;
}

export interface RankOptions {
  terms: QueryTerms;
  isNews: boolean;
  /** How many candidates are considered. The next depth is used only if too few of them fit. */
  depths: readonly number[];
  /** How many results the proximity of words may reorder; 0 reads no page. */
  readAtLeast: number;
  /** Keeps or drops candidates before they are opened. */
  select?(list: ScoredDoc[]): ScoredDoc[];
}

export interface RankedPages {
  results: RankedPage[];
  /** Everything that was considered: results, pages beyond the limit, and pages that were left out. */
  candidates: CandidateList;
  /** What the candidates were asked for, to explain their scores. */
  request: CandidateRequest;
  order: FoundPages['order'];
}

export interface PageRanking {
  rank(search: IndexSearch, options: RankOptions): RankedPages;
}

export function createPageRanking(parts: SearchParts): PageRanking {
  const { pageRows, columns, candidates, byMeaning, scopes, relatedPages, censusOf } = parts;

  const rank = (search: IndexSearch, options: RankOptions): RankedPages => {
    const { query, conditions, limit } = search;
    const { terms, isNews, select = (list: ScoredDoc[]) => list } = options;
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
    const order = orderOf(search, terms, related.order !== undefined);

    const gather = (request: CandidateRequest): CandidateList => {
      if (order === 'date') return candidates.byDate(request);
      if (order === 'similarity') return related.order!(scope);
      if (order === 'rank') return candidates.byStaticRank(request);
      const { meaning } = search;
      if (order === 'meaning') {
        const limits = { most: request.depth, atLeast: MEANING.atLeastAlone };
        return { isComplete: true, list: byMeaning.nearest(meaning!.vector, scope, limits) };
      }
      const { isComplete, list } = candidates.byWords(request);
      const ranked = rerank(list, terms, options.readAtLeast, read);
      return {
        isComplete,
        list: meaning ? withMeaning(byMeaning, ranked, meaning.vector, scope) : ranked,
      };
    };
    const open = (candidate: ScoredDoc, results: readonly RankedPage[]): RankedPage | undefined => {
      const page = read(candidate.docId);
      if (!page || !fits(candidate.docId, page)) return undefined;
      return results.some((other) => other.page.url === page.url || isNearDuplicate(other.page.texts, page.texts))
        ? undefined
        : { ...candidate, page };
    };
    const atDepth = (depth: number): RankedPages => {
      const request = { search, scope, census, terms, isNews, depth };
      const gathered = gather(request);
      const list = select(gathered.list);
      const results = diversify(list, {
        limit,
        limitHosts: !conditions.sortByDate && !namesHosts(query, conditions),
        hostOf: ({ docId }) => columns.host[docId]!,
        open,
      });
      return { results, candidates: { ...gathered, list }, request, order };
    };

    const [first, ...deeper] = options.depths;
    let found = atDepth(first!);
    for (const depth of deeper) {
      if (found.candidates.isComplete || found.results.length >= limit) break;
      found = atDepth(depth);
    }
    return found;
  };
  return { rank };
}

function orderOf({ conditions, meaning }: IndexSearch, terms: QueryTerms, isRelated: boolean): RankedPages['order'] {
  if (conditions.sortByDate) return 'date';
  if (meaning?.isAlone) return 'meaning';
  if (terms.ranked.length > 0) return 'words';
  return isRelated ? 'similarity' : 'rank';
}

/** Boosts pages that contain all words, and those with the words close together, in proportion to the best score. */
function rerank(
  hits: readonly (ScoredDoc & { covered: number })[],
  { words }: QueryTerms,
  limit: number,
  read: (docId: number) => LazyPage | undefined,
): ScoredDoc[] {
  const unit = hits[0]?.score ?? 0;
  const isKeywords = words.length > 1 && words.length <= TEXT_MATCH.allWordsUpTo;
  const scored = hits.map(({ docId, score, covered }) => {
    const allWords = isKeywords && covered === words.length ? unit * TEXT_MATCH.allWords : 0;
    return { docId, covered, score: score + allWords, allWords, proximity: 0 };
  });
  scored.sort(byScore);
  if (limit === 0 || words.length < 2 || words.length > TEXT_MATCH.proximityUpTo) return scored;
  const most = unit * TEXT_MATCH.proximity;
  // Pages that could not reach the results even with the full boost are not read.
  const floor = (scored[limit - 1]?.score ?? 0) - most;
  for (const candidate of scored.slice(0, TEXT_MATCH.proximityDepth)) {
    if (candidate.score < floor) break;
    const page = read(candidate.docId);
    if (!page) continue;
    candidate.proximity = most * proximity(`${page.title}\n${page.body}`, words);
    candidate.score += candidate.proximity;
  }
  return scored.sort(byScore);
}

/** Few hits by words are joined by pages that say it in other words, below them. */
function withMeaning(
  byMeaning: ByMeaning,
  list: readonly ScoredDoc[],
  query: TextVector,
  scope: SearchScope,
): ScoredDoc[] {
  const weighed = byMeaning.weigh(list, query);
  if (list.length >= MEANING.few) return weighed;
  const known = new Set(list.map(({ docId }) => docId));
  const others = byMeaning
    .nearest(query, scope, { most: MEANING.few, atLeast: MEANING.atLeast })
    .filter(({ docId }) => !known.has(docId));
  const unit = Math.min(1, ...weighed.map(({ score }) => score));
  return [...weighed, ...others.map((doc) => ({ ...doc, score: doc.score * unit, meaning: doc.score * unit }))];
}

const byScore = (a: ScoredDoc, b: ScoredDoc): number => b.score - a.score || b.docId - a.docId;
