// The parts of a search on OpenSearch: our own ranking and filters over what was fetched. They note which candidates a search
// needs that were not.
import { createByMeaning, type KnownVectors } from '../../meaning/by-meaning.ts';
import { signWords } from '../../meaning/sign-bits.ts';
import {
  type CandidateList,
  type CandidateRequest,
  type Candidates,
  createCandidates,
} from '../../query/candidates.ts';
import type { CountedFacets } from '../../query/find/facets.ts';
import type { SearchParts } from '../../query/page-ranking.ts';
import { createRelatedPages } from '../../query/related-pages.ts';
import { createScopeBuilder, type ScopeBuilder, type SearchScope } from '../../query/search-scope.ts';
import { TEXT_MATCH } from '../../ranking/ranking-weights.ts';
import { candidateSearch } from './candidate-search.ts';
import { facetSearch, readFacets } from './facet-search.ts';
import type { CandidateSearch, SearchFetch } from './fetched.ts';
import { matchName, type OpenSearchClause, type ScopeClauses, scopeClauses, vectorClauses } from './filter-clauses.ts';
import { createLocalIndex, type LocalIndex } from './local-index.ts';
import { createRelatedReads } from './related-reads.ts';
import { allWordsClauses, boostClauses, type Statistics, wordClauses } from './score-clauses.ts';

interface RemoteScope extends SearchScope {
  clauses: ScopeClauses;
  vectorFilter: OpenSearchClause[];
  /** Nothing can pass. */
  isEmpty: boolean;
}

/** Signs are a rough measure, and some of the pages are not in the scope. */
const NEAR = 3;

const NO_CANDIDATES: CandidateList<never> = { list: [], isComplete: true };

/** `showsUnchecked`: pages whose text was not fetched count as fitting for now; the next run checks them. */
export function createSearchParts(fetched: SearchFetch, showsUnchecked: boolean): SearchParts {
  const local = createLocalIndex(fetched);
  const { columns, pageRows, invertedIndex, census } = local;
  const censusOf = () => census;
  const byMeaning = createByMeaning(createRemoteVectors(fetched, local));
  return {
    ...{ columns, pageRows, invertedIndex, censusOf },
    candidates: createRemoteCandidates(fetched, local),
    byMeaning,
    scopes: createRemoteScopes(fetched, local, showsUnchecked),
    relatedPages: createRelatedPages({
      ...{ columns, pageRows, invertedIndex, byMeaning, censusOf },
      links: local,
      reads: createRelatedReads(fetched),
    }),
    countListed(request, apartUrls, isApart): CountedFacets | undefined {
      let pages = 0;
      request.scope.each(() => {
        pages += 1;
      });
      if (pages < request.depth) return undefined;
      const { search, scope } = request;
      const load = fetched.load(facetSearch((scope as RemoteScope).clauses, search, apartUrls, isApart));
      return load && readFacets(load);
    },
  };
}

function createRemoteVectors(fetched: SearchFetch, local: LocalIndex): KnownVectors {
  return {
    vectorOf(docId) {
      const { id, change } = local.page(docId);
      const known = fetched.vector(id);
      return known?.change === change ? known.vector : undefined;
    },
    near(query, scope, most) {
      const { clauses, vectorFilter } = scope as Partial<RemoteScope>;
      // `related:` has a scope of its own: there, pages are found by words and links alone.
      if (!clauses || !vectorFilter) return [];
      const ids = fetched.near({ signs: signWords(query), filter: vectorFilter, most: NEAR * most });
      if (!ids || ids.length === 0) return [];
      const filter = [...clauses.filter, { ids: { values: ids } }];
      fetched.load(candidateSearch({ ...clauses, filter }, { size: ids.length }));
      const near = new Set(ids);
      const docIds = Array.from(fetched.pages, (_, at) => at + 1);
      return docIds.filter((docId) => near.has(local.page(docId).id) && scope.filter?.[docId] !== 0);
    },
  };
}

function createRemoteScopes(fetched: SearchFetch, local: LocalIndex, showsUnchecked: boolean): ScopeBuilder {
  const builder = createScopeBuilder((match) => local.docsMatching(matchName(match)), local.columns);
  const idsOf = (docIds: readonly number[]) => docIds.map((docId) => local.page(docId).id);
  return {
    build(search, kind, sets = {}): RemoteScope {
      const inner = builder.build(search, kind, sets);
      const { only = [], without = [], matches } = sets;
      const clauses = scopeClauses(search, kind, matches);
      const isEmpty = only.some(({ length }) => length === 0);
      return {
        ...inner,
        isEmpty,
        vectorFilter: vectorClauses(search),
        clauses: {
          ...clauses,
          filter: [...clauses.filter, ...only.map((docIds) => ({ ids: { values: idsOf(docIds) } }))],
          mustNot: [...clauses.mustNot, ...(without.length > 0 ? [{ ids: { values: idsOf(without) } }] : [])],
        },
        fits(docId, page) {
          const before = fetched.misses;
          const fits = inner.fits(docId, page);
          return fetched.misses > before ? showsUnchecked : fits;
        },
      };
    },
  };
}

function createRemoteCandidates(fetched: SearchFetch, local: LocalIndex): Candidates {
  const own = createCandidates(local.invertedIndex, local.columns);
  const statistics: Statistics = fetched.statistics();

  /** Null if no page can match, undefined if what it depends on was not fetched yet. */
  const byWords = (request: CandidateRequest): CandidateSearch | null | undefined => {
    const before = fetched.misses;
    const boosts = own.boostRequest(request);
    const words = wordClauses(request.terms.ranked, statistics);
    if (fetched.misses > before) return undefined;
    if (words.length === 0) return null;
    const must = { bool: { should: words, minimum_should_match: 1 } };
    return candidateSearch(clausesOf(request), { must, should: boostClauses(boosts), size: request.depth });
  };
  const byDate = (request: CandidateRequest): CandidateSearch => {
    const { terms, depth } = request;
    const must = { bool: { filter: allWordsClauses(terms.ranked) } };
    return candidateSearch(clausesOf(request), { must, size: depth, sort: [{ date: 'desc' }, { change: 'desc' }] });
  };

  /** Undefined as long as one of the searches was not answered. */
  const loadAll = (searches: readonly (CandidateSearch | null | undefined)[]): { isComplete: boolean } | undefined => {
    const loads = searches.filter((search) => search !== null).map((search) => search && fetched.load(search));
    return loads.includes(undefined) ? undefined : { isComplete: loads.every((load) => load!.isComplete) };
  };
  const gather = <T>(
    request: CandidateRequest,
    searches: () => readonly (CandidateSearch | null | undefined)[],
    rank: () => CandidateList<T>,
  ): CandidateList<T> => {
    if ((request.scope as RemoteScope).isEmpty) return NO_CANDIDATES;
    const loaded = loadAll(searches());
    return loaded ? { list: rank().list, ...loaded } : NO_CANDIDATES;
  };

  return {
    boostRequest: own.boostRequest,
    byWords: (request) =>
      gather(
        request,
        () => [byWords(request)],
        () => own.byWords(request),
      ),
    byDate: (request) =>
      gather(
        request,
        () => {
          const { length } = request.terms.ranked;
          return [
            ...(length <= TEXT_MATCH.allWordsUpTo ? [byDate(request)] : []),
            ...(length > 0 ? [byWords(request)] : []),
          ];
        },
        () => own.byDate(request),
      ),
    byStaticRank: (request) =>
      gather(
        request,
        () => [
          candidateSearch(clausesOf(request), {
            should: boostClauses(own.boostRequest(request)),
            size: request.depth,
          }),
        ],
        () => own.byStaticRank(request),
      ),
  };
}

const clausesOf = ({ scope }: CandidateRequest): ScopeClauses => (scope as RemoteScope).clauses;
