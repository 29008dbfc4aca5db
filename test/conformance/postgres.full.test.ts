// More of the conformance suites on PostgreSQL, in a full run. `npm run test:cluster` runs all of them.
import { describe } from 'node:test';
import { testIndexFeed } from './index-feed.ts';
import { testJobResults } from './job-results.ts';
import { canStartPostgres, hasPostgres, openPostgres } from './open-postgres.ts';
import { testTeamStore } from './teams.ts';

const reason = canStartPostgres ? 'The other files test all of it.' : 'PostgreSQL is not installed.';
describe('Postgres', { skip: canStartPostgres && !hasPostgres ? false : reason }, () => {
  testTeamStore('Postgres', openPostgres);
  testIndexFeed('Postgres', openPostgres);
  testJobResults('Postgres', openPostgres);
});
