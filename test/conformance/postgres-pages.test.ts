// The Postgres adapter passes the suites for pages and files.
import { describe } from 'node:test';
import { testArchiveStore } from './archives.ts';
import { testChunkVectorStore } from './chunk-vectors.ts';
import { testFileStore } from './files.ts';
import { testPageHistory } from './history.ts';
import { testIndexFeed } from './index-feed.ts';
import { testKnownPages } from './known-pages.ts';
import { hasPostgres, openPostgres } from './open-postgres.ts';
import { testPageOwners } from './page-owners.ts';
import { testPageStore } from './pages.ts';
import { testProfileStore } from './profiles.ts';
import { testScrapeStore } from './scrapes.ts';
import { testSiteMemoryStore } from './sites.ts';
import { testStoredPages } from './stored-pages.ts';
import { testUploadStore } from './uploads.ts';

describe('Postgres', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  testPageStore('postgres', openPostgres);
  testKnownPages('postgres', openPostgres);
  testPageOwners('postgres', openPostgres);
  testScrapeStore('postgres', openPostgres);
  testPageHistory('postgres', openPostgres);
  testIndexFeed('postgres', openPostgres);
  testStoredPages('postgres', openPostgres);
  testSiteMemoryStore('postgres', openPostgres);
  testArchiveStore('postgres', openPostgres);
  testChunkVectorStore('postgres', openPostgres);
  testFileStore('postgres', openPostgres);
  testProfileStore('postgres', openPostgres);
  testUploadStore('postgres', openPostgres);
});
