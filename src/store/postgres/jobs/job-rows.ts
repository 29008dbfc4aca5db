// The rows of jobs: locked at the start of a transaction, changed in memory, and written once at its end.
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { JobView, NewJob } from '../../job-store.ts';
import { type Job, viewOf } from '../../records/jobs/job-record.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';

export interface JobRows {
  /** Call it before the transaction: a request may be large. */
  seal(job: Pick<NewJob, 'teamId' | 'options' | 'webhook'>): Promise<SealedRequest>;
  /** Nobody else can see the row before the commit, so it counts as locked. */
  add(sql: Sql, job: Omit<NewJob, 'tasks'>, request: SealedRequest, expiresAt: number): Promise<Job>;
  /** Locks the job until the end of the transaction. Finishing pages, changing limits and so on take turns. */
  lock(sql: Sql, id: string): Promise<Job | undefined>;
  lockNumber(sql: Sql, number: number): Promise<Job | undefined>;
  /** Locks the jobs of these tasks, always in the same order. */
  lockOfTasks(sql: Sql, taskIds: number[]): Promise<Job[]>;
  /** Without a lock, for those who change nothing. */
  find(sql: Sql, id: string): Promise<Job | undefined>;
  save(sql: Sql, job: Job): Promise<void>;
  view(sql: Sql, id: string): Promise<JobView | undefined>;
  /** Running jobs, oldest first; those of all teams without `teamId`. */
  unfinished(sql: Sql, teamId?: string): Promise<JobView[]>;
  /** Those of these jobs that have not ended. */
  running(sql: Sql, ids: string[]): Promise<JobView[]>;
  /** Whether the team has as many unfinished jobs as it may have, without those that runs have started. */
  isQueueFull(sql: Sql, teamId: string, maxUnfinished: number): Promise<boolean>;
  /**
   * Until the end of the transaction, no other one can add an unfinished job of the team. Call it first: those who hold the lock
   * of a job must not wait for this one.
   */
  lockQueue(sql: Sql, teamId: string): Promise<void>;
}

export interface SealedRequest {
  options: SealedText;
  webhook: SealedText | undefined;
}

type ViewRow = Job & { url: string; options: SealedText };

const columns = (sql: Sql) => sql`
  number, id, team_id AS "teamId", key, kind, events, zero_data_retention AS "zeroDataRetention", run_id AS "runId",
  created_at AS "createdAt", home, page_limit AS "limit", status, total, completed, failed, blocked, credits,
  kick_offs AS "kickOffs", spares, known, refused, has_leftovers AS "hasLeftovers", dropped_links AS "droppedLinks",
  paused_at AS "pausedAt", error, finished_at AS "finishedAt", expires_at AS "expiresAt"`;

export function createJobRows(sealed: SealedRequests): JobRows {
  const toView = async ({ options, ...job }: ViewRow): Promise<JobView> =>
    viewOf(job, await sealed.openLarge(options, job.teamId));

  return {
    async seal({ teamId, options, webhook }) {
      const [sealedOptions, sealedWebhook] = await Promise.all([
        sealed.sealLarge(options, teamId),
        webhook && sealed.sealLarge(webhook, teamId),
      ]);
      return { options: sealedOptions, webhook: sealedWebhook };
    },
    async add(sql, { id, teamId, key, runId, kind, url, webhook, limit, ...job }, request, expiresAt) {
      const [added] = await sql<Job[]>`
        INSERT INTO jobs (id, team_id, key, kind, home, events, page_limit, zero_data_retention, run_id, status,
          created_at, expires_at)
        VALUES (${id}, ${teamId}, ${key ?? null}, ${kind}, ${url}, ${webhook?.events.join(',') ?? ''}, ${limit},
          ${job.zeroDataRetention}, ${runId ?? null}, 'scraping', ${job.createdAt}, ${expiresAt})
        RETURNING ${columns(sql)}`;
      await sql`
        INSERT INTO job_requests (job, url, options, webhook)
        VALUES (${added!.number}, ${url}, ${request.options}, ${request.webhook ?? null})`;
      return added!;
    },
    async lock(sql, id) {
      const [job] = await sql<Job[]>`SELECT ${columns(sql)} FROM jobs WHERE id = ${id} FOR NO KEY UPDATE`;
      return job;
    },
    async lockNumber(sql, number) {
      const [job] = await sql<Job[]>`SELECT ${columns(sql)} FROM jobs WHERE number = ${number} FOR NO KEY UPDATE`;
      return job;
    },
    lockOfTasks: (sql, taskIds) => sql<Job[]>`
      SELECT ${columns(sql)} FROM jobs WHERE number IN (SELECT job FROM tasks WHERE tasks.id = ANY(${taskIds}::bigint[]))
      ORDER BY number FOR NO KEY UPDATE`,
    async find(sql, id) {
      const [job] = await sql<Job[]>`SELECT ${columns(sql)} FROM jobs WHERE id = ${id}`;
      return job;
    },
    async save(sql, job) {
      await sql`
        UPDATE jobs SET home = ${job.home}, page_limit = ${job.limit}, status = ${job.status}, total = ${job.total},
          completed = ${job.completed}, failed = ${job.failed}, blocked = ${job.blocked}, credits = ${job.credits},
          kick_offs = ${job.kickOffs}, spares = ${job.spares}, known = ${job.known}, refused = ${job.refused},
          has_leftovers = ${Boolean(job.hasLeftovers)}, dropped_links = ${Boolean(job.droppedLinks)},
          paused_at = ${job.pausedAt}, error = ${job.error}, finished_at = ${job.finishedAt}, expires_at = ${job.expiresAt}
        WHERE number = ${job.number}`;
    },
    async view(sql, id) {
      const [row] = await sql<ViewRow[]>`
        SELECT ${columns(sql)}, url, options FROM jobs JOIN job_requests ON job = number WHERE id = ${id}`;
      return row && toView(row);
    },
    async unfinished(sql, teamId) {
      const rows = await sql<ViewRow[]>`
        SELECT ${columns(sql)}, url, options FROM jobs JOIN job_requests ON job = number
        WHERE status = 'scraping' ${teamId === undefined ? sql`` : sql`AND team_id = ${teamId}`}
        ORDER BY created_at, number`;
      return Promise.all(rows.map(toView));
    },
    async running(sql, ids) {
      const rows = await sql<ViewRow[]>`
        SELECT ${columns(sql)}, url, options FROM jobs JOIN job_requests ON job = number
        WHERE status = 'scraping' AND id = ANY(${ids}::text[])`;
      return Promise.all(rows.map(toView));
    },
    async isQueueFull(sql, teamId, maxUnfinished) {
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
        SELECT count(*) FROM jobs WHERE status = 'scraping' AND team_id = ${teamId} AND run_id IS NULL`;
      return count >= maxUnfinished;
    },
    lockQueue: (sql, teamId) => lockByName(sql, 'unfinished jobs', teamId),
  };
}
