// The embedded adapter against the suites of teams, pages and scrapes.
import { openSqlite } from './open-sqlite.ts';
import { testPageStore } from './pages.ts';
import { testScrapeStore } from './scrapes.ts';
import { testTeamStore } from './teams.ts';

testTeamStore('sqlite', openSqlite);
testPageStore('sqlite', openSqlite);
testScrapeStore('sqlite', openSqlite);
