// The Postgres adapter passes the suites for runs, monitors, webhook calls and mails.
import { describe } from 'node:test';
import { testCollectionStore } from './collections.ts';
import { testDeliveryStore } from './deliveries.ts';
import { testDeliveryLog } from './delivery-log.ts';
import { testMailStore } from './mails.ts';
import { testMonitorStore } from './monitors.ts';
import { hasPostgres, openPostgres } from './open-postgres.ts';
import { testRuns } from './runs.ts';

describe('postgres', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  testRuns('postgres', openPostgres);
  testMonitorStore('postgres', openPostgres);
  testCollectionStore('postgres', openPostgres);
  testDeliveryStore('postgres', openPostgres);
  testDeliveryLog('postgres', openPostgres);
  testMailStore('postgres', openPostgres);
});
