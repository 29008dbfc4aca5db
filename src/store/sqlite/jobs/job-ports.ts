// Creates the two job ports on one connection, and the removers that the sweeper calls for them.

import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { Database, Remover } from '../../sql/database.ts';
import type { CachedPageRows } from '../../sql/pages/cache/cached-page-rows.ts';
import type { HistoryRows } from '../../sql/pages/history-rows.ts';
import type { PagePacker } from '../../sql/pages/page-packer.ts';
import type { ScrapeRows } from '../../sql/pages/scrape-rows.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { UsedKeys } from '../used-keys.ts';
import { type ClaimableJobs, createClaimableJobs } from './claimable-jobs.ts';
import { type Claims, createClaims } from './claims.ts';
import { createCrawlTraps } from './crawl-traps.ts';
import type { DocumentJson } from './document-json.ts';
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
  queue: Claims & ClaimableJobs & TaskFinisher;
  removers: Remover[];
}

export interface JobPortsDeps {
  connection: Connection;
  database: Database;
  packer: PagePacker;
  documentJson: DocumentJson;
  deliveries: DeliveryRows;
  usedKeys: UsedKeys;
  pages: CachedPageRows;
  scrapes: ScrapeRows;
  sealed: SealedRequests;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  history: Pick<HistoryRows, 'write'>;
}

export function createJobPorts(deps: JobPortsDeps): JobPorts {
  const { connection, database, packer, documentJson, deliveries, usedKeys, pages, scrapes, sealed, ledger, history } =
    deps;
  const rows = createJobRows(connection, sealed);
  const traps = createCrawlTraps(connection);
  const tasks = createTaskRows(connection, traps);
  const duplicates = createDuplicatePages(connection);
  const end = createJobEnd({ connection, deliveries, tasks });
  const shared = { connection, rows, tasks, deliveries, ledger, end };
  const jobs = createSqliteJobs({ ...shared, usedKeys, documentJson });
  const pageFinisher = createPageFinisher({ ...shared, pages, scrapes, history, duplicates, traps });
  const removal = createJobRemoval({ connection, database, scrapes });
  return {
    jobs,
    queue: {
      ...createClaims(connection, rows),
      ...createClaimableJobs(connection),
      ...createTaskFinisher({ ...shared, database, packer, pageFinisher, pages }),
    },
    removers: [removal.removeExpired, removal.removeLeftovers],
  };
}
