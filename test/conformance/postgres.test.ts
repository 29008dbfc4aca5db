// A small part of the conformance suites on PostgreSQL, in every run. `npm run test:cluster` runs all of them.
import { describe } from 'node:test';
import { testClaims } from './claims.ts';
import { canStartPostgres, hasPostgres, openPostgres } from './open-postgres.ts';
import { testScrapeStore } from './scrapes.ts';

const reason = canStartPostgres ? 'The other files test all of it.' : 'PostgreSQL is not installed.';
describe('Postgres', { skip: canStartPostgres && !hasPostgres ? false : reason }, () => {
  testScrapeStore('Postgres', openPostgres);
  testClaims('Postgres', openPostgres);
});
