// The Postgres store passes the conformance suites for jobs and their queue.
import { describe } from 'node:test';
import { testClaimableJobs } from './claimable-jobs.ts';
import { testClaims } from './claims.ts';
import { testJobControl } from './job-control.ts';
import { testJobResults } from './job-results.ts';
import { testJobViews } from './job-views.ts';
import { testJobStore } from './jobs.ts';
import { hasPostgres, openPostgres } from './open-postgres.ts';
import { testJobQueue } from './queue.ts';
import { testQueueModel } from './queue-model.ts';
import { testTraps } from './traps.ts';

describe('Postgres', { skip: hasPostgres ? false : 'It runs with npm run test:cluster' }, () => {
  testJobStore('Postgres', openPostgres);
  testJobResults('Postgres', openPostgres);
  testJobViews('Postgres', openPostgres);
  testJobControl('Postgres', openPostgres);
  testClaims('Postgres', openPostgres);
  testClaimableJobs('Postgres', openPostgres);
  testJobQueue('Postgres', openPostgres);
  testTraps('Postgres', openPostgres);
  testQueueModel('Postgres', openPostgres);
});
