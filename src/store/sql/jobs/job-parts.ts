// The ports of jobs: crawls and batches, and the queue of their pages.
import type { Database, Remover } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { Sealer } from '../sealer.ts';
import type { SqlLedger } from '../teams/ledger.ts';
import type { UsedKeys } from '../used-keys.ts';
import { type Claims, createClaims, type TakeTurns } from './claims.ts';
import { createCrawlTraps } from './crawl-traps.ts';
import type { DocumentJson } from './document-json.ts';
import { createDuplicatePages } from './duplicate-pages.ts';
import { createPageFinisher } from './finish-page.ts';
import { createTaskFinisher, type TaskFinisher } from './finish-task.ts';
import { createJobEnd } from './job-end.ts';
import { createJobRemoval } from './job-removal.ts';
import { createJobRows } from './job-rows.ts';
import type { HostMemories } from './job-views/frontier-counts.ts';
import { createPageWriters, type PageWritersDeps } from './page-writers.ts';
import { createSqlJobs, type SqlJobs } from './sql-jobs.ts';
import { createTaskRows } from './task-rows.ts';

export interface JobPartsDeps {
  database: Database;
  sealed: Sealer;
  pageRows: PageWritersDeps;
  ledger: Pick<SqlLedger, 'record' | 'list'>;
  deliveries: Pick<DeliveryQueue, 'queue'>;
  usedKeys: UsedKeys;
  documentJson: DocumentJson;
  takeTurns: TakeTurns;
  memoriesOfOthers: HostMemories;
  /** Removes what has expired, and the blobs of everything that was removed. */
  sweep(now: number): Promise<void>;
}

export interface JobParts {
  jobs: SqlJobs;
  queue: Claims & TaskFinisher;
  removers: Remover[];
}

export function createJobParts(deps: JobPartsDeps): JobParts {
  const { database, sealed, deliveries, takeTurns, sweep } = deps;
  const pages = createPageWriters(deps.pageRows);
  const rows = createJobRows(database, sealed);
  const traps = createCrawlTraps();
  const tasks = createTaskRows(traps);
  const end = createJobEnd({ deliveries, tasks });
  const removal = createJobRemoval(database, pages);
  const shared = { ...deps, pages, rows, tasks, end };
  const pageFinisher = createPageFinisher({ ...shared, duplicates: createDuplicatePages(), traps });
  const forget = async (job: number, now: number) => {
    await removal.removeJob(job);
    await sweep(now);
  };
  return {
    jobs: createSqlJobs({ ...shared, forget }),
    queue: { ...createClaims(database, rows, takeTurns), ...createTaskFinisher({ ...shared, pageFinisher }) },
    removers: [removal.removeExpired, removal.removeLeftovers, deps.usedKeys.removeOld],
  };
}
