// The ports of jobs: crawls and batches, and the queue of their pages.
import { randomUUID } from 'node:crypto';
import type { Remover } from '../../sql/database.ts';
import type { Store } from '../../store.ts';
import type { Base } from '../base.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { PageRows } from '../pages/page-parts.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createClaimableJobs } from './claims/claimable-jobs.ts';
import { createClaims } from './claims/claims.ts';
import { createHostOwners } from './claims/host-owners.ts';
import { createCrawlTraps } from './crawl-traps.ts';
import type { DocumentJson } from './document-json.ts';
import { createDuplicatePages } from './duplicate-pages.ts';
import { createPageFinisher } from './finish-page.ts';
import { createTaskFinisher } from './finish-task.ts';
import { createJobEnd } from './job-end.ts';
import { createJobRemoval } from './job-removal.ts';
import { createJobRows } from './job-rows.ts';
import { createPageWriters } from './page-writers.ts';
import { createPostgresJobs } from './postgres-jobs.ts';
import { createTaskRows } from './task-rows.ts';

export type JobPorts = Pick<Store, 'jobs' | 'queue'>;

export interface JobPartsDeps {
  pageRows: PageRows;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  deliveries: DeliveryQueue;
  usedKeys: UsedKeys;
  documentJson: DocumentJson;
  /** Removes what has expired, and the blobs of everything that was removed. */
  sweep(now: number): Promise<void>;
}

export function createJobParts(base: Base, deps: JobPartsDeps): { ports: JobPorts; removers: Remover[] } {
  const { database, sealed } = base;
  const { ledger, deliveries, usedKeys, documentJson, sweep } = deps;
  const pageRows = createPageWriters(deps.pageRows);
  const rows = createJobRows(sealed);
  const traps = createCrawlTraps();
  const tasks = createTaskRows(traps);
  const duplicates = createDuplicatePages();
  const end = createJobEnd({ deliveries, tasks });
  const removal = createJobRemoval(database, pageRows);
  const forget = async (job: number, now: number) => {
    await removal.removeJob(job);
    await sweep(now);
  };
  const shared = { database, rows, tasks, deliveries, ledger, end };
  const pageFinisher = createPageFinisher({ ...shared, ...pageRows, duplicates, traps });
  const { take, removeOld, process, memoriesOfOthers, ...ownership } = createHostOwners(database, randomUUID());
  return {
    ports: {
      jobs: createPostgresJobs({ ...shared, usedKeys, documentJson, memoriesOfOthers, forget }),
      queue: {
        ...createClaims(database, rows, { take, process }),
        ...createClaimableJobs(database, process),
        ...createTaskFinisher({ ...shared, ...pageRows, pageFinisher }),
        ...ownership,
      },
    },
    removers: [removal.removeExpired, removal.removeLeftovers, usedKeys.removeOld, removeOld],
  };
}
