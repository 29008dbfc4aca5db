// The JobStore port in Postgres: view, results and cancel. What starts and changes jobs is in job-start/ and job-control/.
import { freeBuffersOf } from '../../../util/free-bytes.ts';
import { joinBytes } from '../../encoding/join-bytes.ts';
import type { JobStore, PageError } from '../../job-store.ts';
import { isReadable, type Job } from '../../records/jobs/job-record.ts';
import { indexed } from '../../sql/indexed-text.ts';
import type { Database, Sql } from '../database/database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { UsedKeys } from '../used-keys.ts';
import type { HostOwners } from './claims/host-owners.ts';
import type { DocumentJson } from './document-json.ts';
import { createJobControl } from './job-control/job-control.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import { createJobStart } from './job-start/job-start.ts';
import { createJobViews } from './job-views/job-views.ts';
import type { TaskRows } from './task-rows.ts';

/** More than anyone reads, and small enough for one response. */
const MAX_PROBLEMS = 50_000;
const UNFINISHED = new Set(['waiting', 'running', 'paused', 'spare']);
/** For the rest of the answer, so that megabytes need not be copied for it. */
const ANSWER_ROOM = 4096;
const COMMA = new TextEncoder().encode(',');

export interface PostgresJobsDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  deliveries: Pick<DeliveryQueue, 'queue'>;
  ledger: Pick<LedgerRows, 'list'>;
  end: JobEnd;
  usedKeys: UsedKeys;
  documentJson: DocumentJson;
  memoriesOfOthers: HostOwners['memoriesOfOthers'];
  /** Removes everything of a job now. */
  forget(job: number, now: number): Promise<void>;
}

export function createPostgresJobs(deps: PostgresJobsDeps): JobStore {
  const { database, rows, tasks, deliveries, ledger, end, usedKeys, documentJson, memoriesOfOthers, forget } = deps;
  const pool = database.sql;

  const lock = async (sql: Sql, id: string, teamId: string, now: number): Promise<Job | undefined> => {
    const job = await rows.lock(sql, id);
    return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
  };

  return {
    ...createJobStart({ database, rows, tasks, deliveries, ledger, end, usedKeys, lock }),
    ...createJobViews(database, memoriesOfOthers),
    ...createJobControl({ database, rows, tasks, end, lock }),

    async view(id, teamId, now) {
      const job = await rows.view(pool, id);
      return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
    },

    async results(id, { skip, limit, maxBytes }) {
      const job = await rows.find(pool, id);
      const parts: Uint8Array[] = [];
      const ends: number[] = [];
      let bytes = 0;
      for await (const document of job ? documentJson.ofJob(pool, job.number, skip, limit) : []) {
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
      const page = await pageOfBatch(pool, scrapeId, teamId, now);
      if (page?.state === 'failed') return { state: 'failed', code: page.code, message: page.message };
      return page && UNFINISHED.has(page.state) ? { state: 'unfinished' } : undefined;
    },

    async problems(id) {
      const [errors, blocked] = await Promise.all([listErrors(pool, id), listBlocked(pool, id)]);
      return { errors: [...errors], robotsBlocked: blocked.map(({ url }) => url) };
    },

    unfinished: (teamId) => rows.unfinished(pool, teamId),
    running: (ids) => rows.running(pool, ids),

    async cancel(id, teamId, now) {
      const cancelled = await database.transaction(async (sql) => {
        const job = await lock(sql, id, teamId, now);
        if (!job) return undefined;
        if (job.status === 'scraping') await end.end(sql, job, 'cancelled', now);
        if (job.zeroDataRetention) job.expiresAt = 0;
        await rows.save(sql, job);
        return job;
      });
      // Nothing of it may be kept.
      if (cancelled?.zeroDataRetention) await forget(cancelled.number, now);
      return cancelled?.zeroDataRetention ? 'cancelled' : cancelled?.status;
    },
  };
}

interface BatchPage {
  state: string;
  code: string;
  message: string;
}

/** The jobs of a team are few; the key is unique within each. */
async function pageOfBatch(sql: Sql, scrapeId: string, teamId: string, now: number): Promise<BatchPage | undefined> {
  const [page] = await sql<BatchPage[]>`
    SELECT page.state, page.code, page.message FROM jobs CROSS JOIN LATERAL (
      SELECT state, code, message FROM tasks WHERE job = jobs.number AND key = ${indexed(scrapeId)}) AS page
    WHERE team_id = ${teamId} AND jobs.kind = 'batch_scrape' AND NOT zero_data_retention
      AND (status = 'scraping' OR (expires_at > ${now} AND finished_at IS NOT NULL)) LIMIT 1`;
  return page;
}

const listErrors = (sql: Sql, id: string) => sql<PageError[]>`
  SELECT scrape_id AS id, ended_at AS at, url, code, message FROM tasks
  WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id}) AND state IN ('failed', 'refused')
  ORDER BY ended_at, tasks.id LIMIT ${MAX_PROBLEMS}`;

const listBlocked = (sql: Sql, id: string) => sql<{ url: string }[]>`
  SELECT url FROM tasks WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id}) AND state = 'blocked'
  ORDER BY tasks.id LIMIT ${MAX_PROBLEMS}`;
