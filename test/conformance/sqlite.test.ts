// The embedded store passes the suites for teams, the ledger, pages, scrapes, page histories, the index feed, feedback, files, profiles, uploads and programs.
import { testFeedbackStore } from './feedback.ts';
import { testFileStore } from './files.ts';
import { testPageHistory } from './history.ts';
import { testIndexFeed } from './index-feed.ts';
import { testKnownPages } from './known-pages.ts';
import { testLedger } from './ledger.ts';
import { openSqlite } from './open-sqlite.ts';
import { testPageOwners } from './page-owners.ts';
import { testPageStore } from './pages.ts';
import { testProfileStore } from './profiles.ts';
import { testProgramStore } from './programs.ts';
import { testScrapeStore } from './scrapes.ts';
import { testTeamStore } from './teams.ts';
import { testUploadStore } from './uploads.ts';

testTeamStore('sqlite', openSqlite);
testLedger('sqlite', openSqlite);
testPageStore('sqlite', openSqlite);
testKnownPages('sqlite', openSqlite);
testPageOwners('sqlite', openSqlite);
testScrapeStore('sqlite', openSqlite);
testPageHistory('sqlite', openSqlite);
testIndexFeed('sqlite', openSqlite);
testFeedbackStore('sqlite', openSqlite);
testFileStore('sqlite', openSqlite);
testProfileStore('sqlite', openSqlite);
testUploadStore('sqlite', openSqlite);
testProgramStore('sqlite', openSqlite);
