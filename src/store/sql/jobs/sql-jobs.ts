// The JobStore port: view, results and cancel. What starts and changes jobs is in job-start/ and job-control/.
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { freeBuffersOf } from '../../../util/bytes/free-bytes.ts';
import { type Bytes, joinBytes } from '../../encoding/join-bytes.ts';
import type { JobStore, PageError, ResultPage } from '../../ports/jobs/job-store.ts';
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
import { createJobViews } from './job-views/job-views.ts';
import type { TaskRows } from './task-rows.ts';

/** More than anyone reads, and small enough for one response. */
const MAX_PROBLEMS = 50_000;
const UNFINISHED = new Set(['waiting', 'running', 'paused', 'spare']);
/** For the rest of the answer, so that megabytes need not be copied for it. */
const ANSWER_ROOM = 4096;
const COMMA = new TextEncoder().encode(',');

type Own = 'view' | 'pageWithoutResult' | 'problems' | 'unfinished' | 'running' | 'cancel';

/** The port, whose tasks come in parts. */
export interface SqlJobs extends JobStarter, JobControl, JobViews, Pick<JobStore, Own> {
  results(...args: Parameters<JobStore['results']>): Promise<ResultPage & { json: Bytes }>;
}

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
  const { database, rows, end, documentJson, memoriesOfOthers, forget } = deps;

  const lock = async (tx: Tx, id: string, teamId: string, now: number): Promise<Job | undefined> => {
    const job = await rows.lock(tx, id);
    return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
  };

  return {
    ...createJobStart({ ...deps, lock }),
    ...createJobViews(database, memoriesOfOthers),
    ...createJobControl({ ...deps, lock }),

    async view(id, teamId, now) {
      const job = await rows.view(id);
      return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
    },

    async results(id, { skip, limit, maxBytes }) {
      const job = await rows.find(database, id);
      const parts: Uint8Array[] = [];
      const ends: number[] = [];
      let bytes = 0;
      for await (const document of job ? documentJson.ofJob(job.number, skip, limit) : []) {
        const length = document.reduce((sum, part) => sum + part.byteLength, 0);
        if (ends.length > 0 && bytes + length > maxBytes) break;
        ends.push(bytes + length);
        bytes += length + COMMA.byteLength;
        parts.push(...document, COMMA);
      }
      const json = joinBytes(parts.slice(0, -1), ANSWER_ROOM);
      freeBuffersOf(parts);
      return { count: ends.length, ends, json, room: ANSWER_ROOM };
    },

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
