// The embedded adapter against the suites of teams, pages and scrapes.
import { testKnownPages } from './known-pages.ts';
import { openSqlite } from './open-sqlite.ts';
import { testPageStore } from './pages.ts';
import { testScrapeStore } from './scrapes.ts';
import { testTeamStore } from './teams.ts';

testTeamStore('sqlite', openSqlite);
testPageStore('sqlite', openSqlite);
testKnownPages('sqlite', openSqlite);
testScrapeStore('sqlite', openSqlite);
