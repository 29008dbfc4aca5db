// The index as it runs inside its thread: opens the parts on one database and does upkeep between calls.
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { createConnection } from '../runtime/sqlite/sqlite.ts';
import { createPageAnalyser } from './ingest/analyse-page.ts';
import { createIngest } from './ingest/ingest.ts';
import { createByMeaning } from './meaning/by-meaning.ts';
import { nearestBySigns } from './meaning/nearest-signs.ts';
import { createPageVectors, type MissingVectors, type PageVector } from './meaning/page-vectors.ts';
import type {
  FoundPages,
  ImageHit,
  IndexChange,
  IndexFind,
  IndexSearch,
  IndexStats,
  IndexSuggest,
  PageHit,
  PassageSearch,
  TextSearch,
} from './page-index.ts';
import { createLinkGraph } from './pages/link-graph.ts';
import { loadPageColumns } from './pages/page-columns.ts';
import { createPageRows, type IndexedText } from './pages/page-rows.ts';
import { createCandidates } from './query/candidates.ts';
import { createFindPages } from './query/find/find.ts';
import { createSuggest } from './query/find/suggest.ts';
import { createImageSearch } from './query/image-search.ts';
import { createPageRanking } from './query/page-ranking.ts';
import { createPageSearch, createPageTexts, createPassages } from './query/page-search.ts';
import { createRelatedPages } from './query/related-pages.ts';
import { createScopeBuilder } from './query/search-scope.ts';
import { createTermLookup } from './query/term-lookup.ts';
import { createViewerCensus } from './query/viewer-census.ts';
import { createInvertedIndex } from './segments/create-inverted-index.ts';
import { createLogEmptier } from './upkeep/empty-log.ts';
import { createUpkeep } from './upkeep/upkeep.ts';

export interface Index {
  applied(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  remove(changes: readonly IndexChange[]): Promise<void>;
  web(search: IndexSearch): PageHit[];
  news(search: IndexSearch): PageHit[];
  images(search: IndexSearch): ImageHit[];
  find(find: IndexFind): FoundPages;
  suggest(wanted: IndexSuggest): string | null;
  passages(wanted: PassageSearch): (string | null)[];
  texts(wanted: TextSearch): (IndexedText | null)[];
  missingVectors(most: number): MissingVectors;
  addVectors(vectors: readonly PageVector[]): void;
  stats(): IndexStats;
  releaseMemory(): void;
  /** Waits for changes that are being ingested. */
  close(): Promise<void>;
}

/** `afterSearches` resolves in a later turn of the event loop, after the searches that wait. */
export function createIndex(
  database: DatabaseSync,
  onError: (error: unknown) => void,
  afterSearches: () => Promise<void> = setImmediate,
): Index {
  const connection = createConnection(database);
  const invertedIndex = createInvertedIndex(connection);
  const columns = loadPageColumns(connection);
  const pageRows = createPageRows(connection);
  const vectors = createPageVectors(connection, pageRows);
  const links = createLinkGraph(connection);
  const scopes = createScopeBuilder(createTermLookup(connection, invertedIndex), columns);
  const censusOf = createViewerCensus(columns, invertedIndex);
  const byMeaning = createByMeaning({
    vectorOf: vectors.vectorOf,
    near: (query, { filter }, most) => nearestBySigns(vectors.eachSigns, query, filter, most),
  });
  const relatedPages = createRelatedPages({ columns, pageRows, links, invertedIndex, byMeaning, censusOf });
  const candidates = createCandidates(invertedIndex, columns);
  const parts = { pageRows, columns, invertedIndex, candidates, byMeaning, scopes, relatedPages, censusOf };
  const ranking = createPageRanking(parts);
  const searchPages = createPageSearch(parts, ranking);
  const findPages = createFindPages(parts, ranking);
  const suggest = createSuggest(parts, ranking);
  const searchImages = createImageSearch(parts);
  const analyser = createPageAnalyser();
  const ingest = createIngest(
    { connection, pageRows, links, invertedIndex, vectors, columns, analyser },
    afterSearches,
  );
  const emptyLog = createLogEmptier(connection);
  const steps = [ingest.refreshLinks, () => invertedIndex.flushAndMerge(), emptyLog];
  const upkeep = createUpkeep(steps, onError, afterSearches);
  upkeep.start();
  const answered = <T>(hits: T): T => {
    ingest.noteSearch();
    return hits;
  };

  return {
    applied: ingest.applied,
    async apply(changes) {
      upkeep.pause();
      try {
        await ingest.apply(changes);
      } finally {
        upkeep.start();
      }
    },
    remove: ingest.remove,
    web: (search) => answered(searchPages(search, false)),
    news: (search) => answered(searchPages(search, true)),
    images: (search) => answered(searchImages(search)),
    find: (find) => answered(findPages(find)),
    suggest: (wanted) => answered(suggest(wanted)),
    passages: createPassages(parts),
    texts: createPageTexts(parts),
    missingVectors: vectors.missing,
    addVectors: vectors.add,
    stats: () => ({
      pages: invertedIndex.docCount,
      images: columns.images.reduce((sum, images) => sum + images, 0),
      skipped: ingest.skipped(),
    }),
    releaseMemory: connection.releaseMemory,
    async close() {
      upkeep.stop();
      await ingest.settled();
      try {
        connection.transaction(links.writeCounts);
      } catch (error) {
        // A damaged file only has to be closed.
        onError(error);
      }
      connection.close();
    },
  };
}
