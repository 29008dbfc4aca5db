// Creates the three job ports on one connection, and the removers that the sweeper calls for them.

import type { Connection } from '../../../util/sqlite.ts';
import type { CachedPageRows } from '../cached-page-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { ResultRows } from '../result-rows.ts';
import type { ScrapeRows } from '../scrape-rows.ts';
import type { SealedRequests } from '../sealed-requests.ts';
import type { Remover } from '../sweeper.ts';
import { type Claims, createClaims } from './claims.ts';
import { createCrawlTraps } from './crawl-traps.ts';
import { createDeliveryRows, type DeliveryRows } from './delivery-rows.ts';
import { createDocumentJson } from './document-json.ts';
import { createDuplicatePages } from './duplicate-pages.ts';
import { createPageFinisher } from './finish-page.ts';
import { createTaskFinisher, type TaskFinisher } from './finish-task.ts';
import { createJobEnd } from './job-end.ts';
import { createJobRemoval } from './job-removal.ts';
import { createJobRows } from './job-rows.ts';
import { createSqliteJobs, type SqliteJobs } from './sqlite-jobs.ts';
import { createTaskRows } from './task-rows.ts';

export interface JobPorts {
  jobs: SqliteJobs;
  queue: Claims & TaskFinisher;
  deliveries: DeliveryRows;
  removers: Remover[];
}

export interface JobPortsDeps {
  connection: Connection;
  results: ResultRows;
  pages: CachedPageRows;
  scrapes: ScrapeRows;
  sealed: SealedRequests;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  history: Pick<HistoryRows, 'write'>;
}

export function createJobPorts(deps: JobPortsDeps): JobPorts {
  const { connection, results, pages, scrapes, sealed, ledger, history } = deps;
  const documentJson = createDocumentJson(connection, results);
  const deliveries = createDeliveryRows({ connection, documentJson, sealed });
  const rows = createJobRows(connection, sealed);
  const traps = createCrawlTraps(connection);
  const tasks = createTaskRows(connection, traps);
  const duplicates = createDuplicatePages(connection);
  const end = createJobEnd({ deliveries, tasks });
  const shared = { connection, rows, tasks, deliveries, ledger, end };
  const jobs = createSqliteJobs({ ...shared, documentJson });
  const pageFinisher = createPageFinisher({ ...shared, pages, scrapes, history, duplicates, traps });
  const removal = createJobRemoval(connection, scrapes);
  return {
    jobs,
    queue: {
      ...createClaims(connection, rows),
      ...createTaskFinisher({ ...shared, pageFinisher, pages }),
    },
    deliveries,
    removers: [removal.removeExpired, removal.removeLeftovers, jobs.removeOldKeys],
  };
}
