// The rows of jobs: locked at the start of a transaction, changed in memory, and written once at its end.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { JobView, NewJob } from '../../ports/jobs/job-store.ts';
import { type Job, viewOf } from '../../rules/jobs/job-record.ts';
import { type Awaitable, type Database, type Queries, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

export interface JobRows {
  /** Call it before the transaction: a request may be large. */
  seal(job: Pick<NewJob, 'teamId' | 'options' | 'webhook'>): Promise<SealedRequest>;
  /** Nobody else can see the row before the commit, so it counts as locked. */
  add(tx: Tx, job: Omit<NewJob, 'tasks'>, request: SealedRequest, expiresAt: number): Promise<Job>;
  /** Locks the job until the end of the transaction. Finishing pages, changing limits and so on take turns. */
  lock(tx: Tx, id: string): Awaitable<Job | undefined>;
  /** Locks the jobs of these tasks, always in the same order. The row of a job comes once for each of its tasks. */
  lockOfTasks(tx: Tx, taskIds: readonly number[]): Awaitable<Job[]>;
  /** Without a lock, for those who change nothing. */
  find(queries: Queries, id: string): Awaitable<Job | undefined>;
  save(tx: Tx, job: Job): Awaitable<unknown>;
  view(id: string): Promise<JobView | undefined>;
  /** Running jobs, oldest first; those of all teams without `teamId`. */
  unfinished(teamId?: string): Promise<JobView[]>;
  /** Returns which of these jobs have not ended. */
  running(ids: string[]): Promise<JobView[]>;
  /** Whether the team has as many unfinished jobs as it may have, without those that runs have started. */
  isQueueFull(queries: Queries, teamId: string, maxUnfinished: number): Promise<boolean>;
  /**
   * Until the end of the transaction, no other one can add an unfinished job of the team. Call it first: those who hold the lock
   * of a job must not wait for this one.
   */
  lockQueue(tx: Tx, teamId: string): Awaitable<void>;
}

export interface SealedRequest {
  options: SealedText;
  webhook: SealedText | undefined;
}

type ViewRow = Job & { url: string; options: SealedText };

const COLUMNS = sql`
  number, id, team_id AS "teamId", key, kind, events, zero_data_retention AS "zeroDataRetention", run_id AS "runId",
  created_at AS "createdAt", retention_ms AS "retentionMs", stored_bytes AS "storedBytes", home, page_limit AS "limit", status, total, completed, failed, blocked, credits,
  kick_offs AS "kickOffs", spares, known, refused, has_leftovers AS "hasLeftovers", dropped_links AS "droppedLinks",
  paused_at AS "pausedAt", error, finished_at AS "finishedAt", expires_at AS "expiresAt"`;
const VIEW = sql`SELECT ${COLUMNS}, url, options FROM jobs JOIN job_requests ON job = number`;

export function createJobRows(database: Database, sealed: Sealer): JobRows {
  const toView = async ({ options, ...job }: ViewRow): Promise<JobView> =>
    viewOf(job, await sealed.open(options, job.teamId));

  return {
    async seal({ teamId, options, webhook }) {
      const [sealedOptions, sealedWebhook] = await Promise.all([
        sealed.seal(options, teamId),
        webhook && sealed.seal(webhook, teamId),
      ]);
      return { options: sealedOptions, webhook: sealedWebhook };
    },
    async add(tx, { id, teamId, key, runId, kind, url, webhook, limit, ...job }, request, expiresAt) {
      const added = await tx.one<Job>`
        INSERT INTO jobs (id, team_id, key, kind, home, events, page_limit, zero_data_retention, retention_ms, run_id, status,
          created_at, expires_at)
        VALUES (${id}, ${teamId}, ${key}, ${kind}, ${url}, ${webhook?.events.join(',') ?? ''}, ${limit},
          ${job.zeroDataRetention}, ${job.retentionMs ?? null}, ${runId}, 'scraping', ${job.createdAt}, ${expiresAt})
        RETURNING ${COLUMNS}`;
      await tx.run`
        INSERT INTO job_requests (job, url, options, webhook)
        VALUES (${added!.number}, ${url}, ${request.options}, ${request.webhook})`;
      return added!;
    },
    lock: (tx, id) => tx.one<Job>`SELECT ${COLUMNS} FROM jobs WHERE id = ${id} FOR NO KEY UPDATE`,
    lockOfTasks: (tx, taskIds) => tx.rows<Job>`
      SELECT ${COLUMNS} FROM (SELECT job FROM tasks WHERE tasks.id = ANY(${taskIds}::bigint[])) AS ended
        JOIN jobs ON number = ended.job ORDER BY number FOR NO KEY UPDATE OF jobs`,
    find: (queries, id) => queries.one<Job>`SELECT ${COLUMNS} FROM jobs WHERE id = ${id}`,
    save: (tx, job) => tx.run`
      UPDATE jobs SET home = ${job.home}, page_limit = ${job.limit}, status = ${job.status}, total = ${job.total},
        completed = ${job.completed}, failed = ${job.failed}, blocked = ${job.blocked}, credits = ${job.credits},
        stored_bytes = ${job.storedBytes},
        kick_offs = ${job.kickOffs}, spares = ${job.spares}, known = ${job.known}, refused = ${job.refused},
        has_leftovers = ${Boolean(job.hasLeftovers)}, dropped_links = ${Boolean(job.droppedLinks)},
        paused_at = ${job.pausedAt}, error = ${job.error}, finished_at = ${job.finishedAt}, expires_at = ${job.expiresAt}
      WHERE number = ${job.number}`,
    async view(id) {
      const row = await database.one<ViewRow>`${VIEW} WHERE id = ${id}`;
      return row && toView(row);
    },
    async unfinished(teamId) {
      const rows = await database.rows<ViewRow>`
        ${VIEW} WHERE status = 'scraping' ${teamId === undefined ? sql`` : sql`AND team_id = ${teamId}`}
        ORDER BY created_at, number`;
      return Promise.all(rows.map(toView));
    },
    async running(ids) {
      const rows = await database.rows<ViewRow>`${VIEW} WHERE status = 'scraping' AND id = ANY(${ids}::text[])`;
      return Promise.all(rows.map(toView));
    },
    async isQueueFull(queries, teamId, maxUnfinished) {
      const unfinished = await queries.one<{ count: number }>`
        SELECT count(*) AS count FROM jobs WHERE status = 'scraping' AND team_id = ${teamId} AND run_id IS NULL`;
      return unfinished!.count >= maxUnfinished;
    },
    lockQueue: (tx, teamId) => tx.lock('unfinished jobs', teamId),
  };
}
