// The index on OpenSearch. OpenSearch keeps the pages and finds candidates; analysis, ranking, filters and passages are those
// of the embedded index.
import type { Viewer } from '../../page/page-owner.ts';
import { createPageAnalyser } from '../ingest/analyse-page.ts';
import type { PageIndex, TextSearch } from '../page-index.ts';
import { pageKey } from '../pages/url-key.ts';
import { createFindPages } from '../query/find/find.ts';
import { createSuggest } from '../query/find/suggest.ts';
import { createImageSearch } from '../query/image-search.ts';
import { createPageRanking, type SearchParts } from '../query/page-ranking.ts';
import { createPageSearch, createPageTexts, createPassages } from '../query/page-search.ts';
import type { Engine } from './engine/engine.ts';
import { createPageStore } from './engine/page-store.ts';
import { createIngest } from './ingest/apply-changes.ts';
import { createRemoteVectors } from './ingest/vectors.ts';
import { candidateSearch } from './query/candidate-search.ts';
import { createFetched, type SearchFetch } from './query/fetched.ts';
import { visibleClauses } from './query/filter-clauses.ts';
import { createSearchParts } from './query/search-parts.ts';

/** A search usually takes four: counts of words, candidates, and the texts of the best, perhaps of a few more. */
const MOST_ROUNDS = 12;

export function createOpenSearchIndex(engine: Engine, prefix: string, installation?: string): PageIndex {
  const store = createPageStore(engine, prefix, installation);
  const ingest = createIngest(store, createPageAnalyser());
  const vectors = createRemoteVectors(store, ingest.applied);

  /** Runs the search on what was fetched, fetches what it missed, and runs it again until nothing is missing. */
  async function answer<T>(
    viewer: Viewer,
    work: (parts: SearchParts) => T,
    prefetch: (fetched: SearchFetch) => void = () => {},
  ): Promise<T> {
    const fetched = createFetched(store, viewer);
    prefetch(fetched);
    for (let round = 1; round < MOST_ROUNDS; round += 1) {
      const result = work(createSearchParts(fetched, true));
      if (!(await fetched.fetchMissing())) return result;
    }
    return work(createSearchParts(fetched, false));
  }

  /** Works on pages that are named by their URLs. */
  function ofPages<T>(wanted: TextSearch, work: (parts: SearchParts) => T): Promise<T> {
    const keys = wanted.urls.flatMap((url) => wanted.viewer.map((owner) => pageKey(owner, url)));
    const filter = [...visibleClauses(wanted), { terms: { key: keys } }];
    const search = candidateSearch({ filter, mustNot: [], named: [] }, { size: Math.max(1, keys.length) });
    return answer(wanted.viewer, work, (fetched) => fetched.load(search));
  }

  const searchPages = (parts: SearchParts) => createPageSearch(parts, createPageRanking(parts));
  return {
    applied: ingest.applied,
    apply: (changes) => ingest.apply(changes),
    // Each version has an index of its own there, and older processes search the older one.
    appliedNext: async () => undefined,
    applyNext: async () => {},
    async clear() {
      await store.clear();
      vectors.forget();
    },
    web: (search) => answer(search.viewer, (parts) => searchPages(parts)(search, false)),
    news: (search) => answer(search.viewer, (parts) => searchPages(parts)(search, true)),
    images: (search) => answer(search.viewer, (parts) => createImageSearch(parts)(search)),
    find: (find) => answer(find.viewer, (parts) => createFindPages(parts, createPageRanking(parts))(find)),
    suggest: (wanted) => answer(wanted.viewer, (parts) => createSuggest(parts, createPageRanking(parts))(wanted)),
    passages: (wanted) => ofPages(wanted, (parts) => createPassages(parts)(wanted)),
    texts: (wanted) => ofPages(wanted, (parts) => createPageTexts(parts)(wanted)),
    missingVectors: vectors.missing,
    addVectors: vectors.add,
    async stats() {
      const [answered] = await store.search([
        {
          ...{ size: 0, track_total_hits: true, query: { term: { kind: 'page' } } },
          aggs: { images: { sum: { field: 'images' } } },
        },
      ]);
      const { hits, aggregations } = answered!;
      return { pages: hits.total!.value, images: aggregations!.images.value as number, skipped: ingest.skipped() };
    },
    async close() {
      await ingest.close();
      await engine.close();
    },
  };
}
