// The embedded store passes the conformance suites for jobs, their queue and their webhook calls.
import { testClaimableJobs } from './claimable-jobs.ts';
import { testClaims } from './claims.ts';
import { testDeliveryStore } from './deliveries.ts';
import { testDeliveryLog } from './delivery-log.ts';
import { testJobControl } from './job-control.ts';
import { testJobResults } from './job-results.ts';
import { testJobViews } from './job-views.ts';
import { testJobStore } from './jobs.ts';
import { openSqlite } from './open-sqlite.ts';
import { testJobQueue } from './queue.ts';
import { testQueueModel } from './queue-model.ts';
import { testTraps } from './traps.ts';

testJobStore('sqlite', openSqlite);
testJobResults('sqlite', openSqlite);
testJobViews('sqlite', openSqlite);
testJobControl('sqlite', openSqlite);
testClaims('sqlite', openSqlite);
testClaimableJobs('sqlite', openSqlite);
testJobQueue('sqlite', openSqlite);
testTraps('sqlite', openSqlite);
testQueueModel('sqlite', openSqlite);
testDeliveryStore('sqlite', openSqlite);
testDeliveryLog('sqlite', openSqlite);
