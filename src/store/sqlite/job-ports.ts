// The three ports of jobs, put together over one connection, and what the sweep has to do for them.

import type { Connection } from '../../util/sqlite.ts';
import { type Claims, createClaims } from './claim.ts';
import { createDeliveryRows, type DeliveryRows } from './deliveries.ts';
import { createDocuments } from './documents.ts';
import { createDuplicates } from './duplicates.ts';
import { createFinishing, type Finishing } from './finish.ts';
import { createPageSettling } from './finish-page.ts';
import { createJobEnd } from './job-end.ts';
import { createJobRemoval } from './job-removal.ts';
import { createJobRows } from './job-rows.ts';
import { createJobs, type Jobs } from './jobs.ts';
import type { PageRows } from './pages.ts';
import type { ResultRows } from './results.ts';
import type { ScrapeRows } from './scrapes.ts';
import type { Remover } from './sweep.ts';
import { createTaskRows } from './tasks.ts';
import { createTraps } from './traps.ts';

export interface JobPorts {
  jobs: Jobs;
  queue: Claims & Finishing;
  deliveries: DeliveryRows;
  removers: Remover[];
}

export interface JobPortsDeps {
  connection: Connection;
  results: ResultRows;
  pages: PageRows;
  scrapes: ScrapeRows;
}

export function createJobPorts({ connection, results, pages, scrapes }: JobPortsDeps): JobPorts {
  const documents = createDocuments(connection, results);
  const deliveries = createDeliveryRows(connection, documents);
  const rows = createJobRows(connection);
  const traps = createTraps(connection);
  const tasks = createTaskRows(connection, traps);
  const duplicates = createDuplicates(connection);
  const end = createJobEnd(deliveries);
  const shared = { connection, rows, tasks, deliveries, end };
  const jobs = createJobs({ ...shared, documents });
  const pageSettling = createPageSettling({ connection, tasks, pages, scrapes, duplicates, traps, deliveries });
  const removal = createJobRemoval(connection, scrapes);
  return {
    jobs,
    queue: {
      ...createClaims(connection, rows),
      ...createFinishing({ ...shared, pageSettling, pages, scrapes }),
    },
    deliveries,
    removers: [removal.removeExpired, removal.removeLeftovers, jobs.removeOldKeys],
  };
}
