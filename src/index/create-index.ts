// The index inside its thread: what is in index.db, what is kept in memory of it, and the upkeep between the calls.
import type { DatabaseSync } from 'node:sqlite';
import { createConnection } from '../store/sqlite/connection.ts';
import { loadColumns } from './columns.ts';
import { createDocuments } from './documents.ts';
import { createLinks } from './links.ts';
import type { ImageHit, IndexChange, IndexSearch, IndexStats, PageHit } from './page-index.ts';
import { createPostings } from './postings/create.ts';
import { createRelated } from './related.ts';
import { createMatcher } from './scope.ts';
import { createImageSearch } from './search-images.ts';
import { createPageSearch } from './search-pages.ts';
import { createTakeIn } from './take-in.ts';
import { createUpkeep } from './upkeep.ts';

export interface Index {
  applied(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  web(search: IndexSearch): PageHit[];
  news(search: IndexSearch): PageHit[];
  images(search: IndexSearch): ImageHit[];
  stats(): IndexStats;
  /** Waits for changes that are being taken in. */
  close(): Promise<void>;
}

export function createIndex(database: DatabaseSync, onError: (error: unknown) => void): Index {
  const connection = createConnection(database);
  const postings = createPostings(connection);
  const columns = loadColumns(connection);
  const documents = createDocuments(connection);
  const links = createLinks(connection);
  const matcher = createMatcher(connection, columns);
  const related = createRelated({ columns, documents, links, postings });
  const parts = { documents, columns, postings, matcher, related };
  const pages = createPageSearch(parts);
  const images = createImageSearch(parts);
  const takeIn = createTakeIn({ connection, documents, links, postings, columns });
  const upkeep = createUpkeep([takeIn.renew, () => postings.tidy()], onError);
  upkeep.start();
  const answered = <T>(hits: T): T => {
    takeIn.searched();
    return hits;
  };

  return {
    applied: takeIn.applied,
    async apply(changes) {
      upkeep.pause();
      try {
        await takeIn.apply(changes);
      } finally {
        upkeep.start();
      }
    },
    web: (search) => answered(pages(search, false)),
    news: (search) => answered(pages(search, true)),
    images: (search) => answered(images(search)),
    stats: () => ({
      documents: postings.count,
      images: columns.images.reduce((sum, images) => sum + images, 0),
      skipped: takeIn.skipped(),
    }),
    async close() {
      upkeep.stop();
      await takeIn.settled();
      try {
        connection.transaction(links.flush);
      } catch (error) {
        // Of a damaged file nothing more is expected than that it is closed.
        onError(error);
      }
      connection.close();
    },
  };
}
