// The JobStore port: cancel and problems. What shows, starts and changes jobs is in job-views/, job-start/ and job-control/.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import type { JobStore, PageError } from '../../ports/jobs/job-store.ts';
import type { JobViews } from '../../ports/jobs/job-views.ts';
import { isReadable, type Job } from '../../rules/jobs/job-record.ts';
import type { Database, Tx } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import { indexed } from '../indexed-text.ts';
import type { SqlLedger } from '../teams/ledger.ts';
import type { UsedKeys } from '../used-keys.ts';
import type { DocumentJson } from './document-json.ts';
import { createJobControl, type JobControl } from './job-control/job-control.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import { createJobStart, type JobStarter } from './job-start/job-start.ts';
import type { HostMemories } from './job-views/frontier-counts.ts';
import { createJobReads, type JobReads } from './job-views/job-reads.ts';
import { createJobViews } from './job-views/job-views.ts';
import type { TaskRows } from './task-rows.ts';

/** More than anyone reads, and small enough for one response. */
const MAX_PROBLEMS = 50_000;
const UNFINISHED = new Set(['waiting', 'running', 'paused', 'spare']);

type Own = 'pageWithoutResult' | 'problems' | 'unfinished' | 'running' | 'cancel';

/** The port, whose tasks come in parts. */
export interface SqlJobs extends JobReads, JobStarter, JobControl, JobViews, Pick<JobStore, Own> {}

export interface SqlJobsDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  deliveries: Pick<DeliveryQueue, 'queue'>;
  ledger: Pick<SqlLedger, 'list'>;
  end: JobEnd;
  usedKeys: UsedKeys;
  documentJson: Pick<DocumentJson, 'ofJob'>;
  memoriesOfOthers: HostMemories;
  /** Removes everything of a job now. */
  forget(job: number, now: number): Promise<void>;
}

export function createSqlJobs(deps: SqlJobsDeps): SqlJobs {
  const { database, rows, end, memoriesOfOthers, forget } = deps;

  const lock = async (tx: Tx, id: string, teamId: string, now: number): Promise<Job | undefined> => {
    const job = await rows.lock(tx, id);
    return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
  };

  return {
    ...createJobReads(deps),
    ...createJobStart({ ...deps, lock }),
    ...createJobViews(database, memoriesOfOthers),
    ...createJobControl({ ...deps, lock }),

    async pageWithoutResult(scrapeId, teamId, now) {
      const page = await pageOfBatch(database, scrapeId, teamId, now);
      if (page?.state === 'failed') return { state: 'failed', code: page.code, message: page.message };
      return page && UNFINISHED.has(page.state) ? { state: 'unfinished' } : undefined;
    },

    async problems(id) {
      const [errors, blocked] = await Promise.all([listErrors(database, id), listBlocked(database, id)]);
      return { errors, robotsBlocked: blocked.map(({ url }) => url) };
    },

    unfinished: rows.unfinished,
    running: rows.running,

    async cancel(id, teamId, now): Promise<JobStatus | undefined> {
      const cancelled = await database.transaction(async (tx) => {
        const job = await lock(tx, id, teamId, now);
        if (!job) return undefined;
        if (job.status === 'scraping') await end.end(tx, job, 'cancelled', now);
        if (job.zeroDataRetention) job.expiresAt = 0;
        await rows.save(tx, job);
        return job;
      });
      // Nothing of it may be kept.
      if (cancelled?.zeroDataRetention) await forget(cancelled.number, now);
      return cancelled?.zeroDataRetention ? 'cancelled' : cancelled?.status;
    },
  };
}

/** The jobs of a team are few; the key is unique within each. */
const pageOfBatch = (database: Database, scrapeId: string, teamId: string, now: number) =>
  database.one<{ state: string; code: string; message: string }>`
    SELECT tasks.state, tasks.code, tasks.message FROM jobs CROSS JOIN tasks
    WHERE tasks.job = jobs.number AND tasks.key = ${indexed(scrapeId)} AND team_id = ${teamId}
      AND jobs.kind = 'batch_scrape' AND NOT zero_data_retention
      AND (status = 'scraping' OR (expires_at > ${now} AND finished_at IS NOT NULL)) LIMIT 1`;

const listErrors = (database: Database, id: string) => database.rows<PageError>`
  SELECT scrape_id AS id, ended_at AS at, url, code, message FROM tasks
  WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id}) AND state IN ('failed', 'blocked', 'refused')
    AND state IN ('failed', 'refused')
  ORDER BY ended_at, tasks.id LIMIT ${MAX_PROBLEMS}`;

const listBlocked = (database: Database, id: string) => database.rows<{ url: string }>`
  SELECT url FROM tasks
  WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id}) AND state IN ('failed', 'blocked', 'refused')
    AND state = 'blocked'
  ORDER BY tasks.id LIMIT ${MAX_PROBLEMS}`;
