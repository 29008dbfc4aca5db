// The rows of jobs: read at the start of a transaction, and written once at its end.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { JobView, NewJob } from '../../job-store.ts';
import { type Job, viewOf } from '../../records/jobs/job-record.ts';

export interface JobRows {
  add(job: Omit<NewJob, 'tasks'>, expiresAt: number): Job;
  find(number: number): Job | undefined;
  findById(id: string): Job | undefined;
  save(job: Job): void;
  view(id: string): JobView | undefined;
  /** Running jobs, oldest first; those of all teams without `teamId`. */
  unfinished(teamId?: string): JobView[];
  /** Whether the team has as many unfinished jobs as it may have, without those that runs have started. */
  isQueueFull(teamId: string, maxUnfinished: number): boolean;
}

type ViewRow = Job & { url: string; options: SealedText };

export function createJobRows(connection: Connection, sealed: SealedRequests): JobRows {
  const sql = prepareAll(connection);

  const toView = ({ options, ...job }: ViewRow): JobView => viewOf(job, sealed.open(options, job.teamId));

  return {
    add({ id, teamId, key = null, runId = null, kind, url, options, webhook, limit, ...job }, expiresAt) {
      const events = webhook?.events.join(',') ?? '';
      const added = sql.add.get(
        id,
        teamId,
        key,
        kind,
        url,
        events,
        limit,
        job.zeroDataRetention ? 1 : 0,
        runId,
        job.createdAt,
        expiresAt,
      )!;
      sql.addRequest.run(
        added.number,
        url,
        sealed.seal(options, teamId),
        webhook ? sealed.seal(webhook, teamId) : null,
      );
      return sql.find.get(added.number)!;
    },
    find: (number) => sql.find.get(number),
    findById: (id) => sql.findById.get(id),
    save(job) {
      sql.save.run(
        job.home,
        job.limit,
        job.status,
        job.total,
        job.completed,
        job.failed,
        job.blocked,
        job.credits,
        job.kickOffs,
        job.spares,
        job.known,
        job.refused,
        Number(job.hasLeftovers),
        Number(job.droppedLinks),
        job.pausedAt,
        job.error,
        job.finishedAt,
        job.expiresAt,
        job.number,
      );
    },
    view(id) {
      const row = sql.view.get(id);
      return row && toView(row);
    },
    unfinished: (teamId) => (teamId === undefined ? sql.unfinished.all() : sql.unfinishedOf.all(teamId)).map(toView),
    isQueueFull: (teamId, maxUnfinished) => sql.countUnfinished.get(teamId)!.count >= maxUnfinished,
  };
}

const JOB = `number, id, team_id AS teamId, key, kind, events, zero_data_retention AS zeroDataRetention, run_id AS runId,
  created_at AS createdAt, home, page_limit AS "limit", status, total, completed, failed, blocked, credits,
  kick_offs AS kickOffs, spares, known, refused, has_leftovers AS hasLeftovers, dropped_links AS droppedLinks,
  paused_at AS pausedAt, error, finished_at AS finishedAt, expires_at AS expiresAt`;
const VIEW = `SELECT ${JOB}, url, options FROM jobs JOIN job_requests ON job = number`;

const prepareAll = (connection: Connection) => ({
  add: connection.prepare<{ number: number }>(
    `INSERT INTO jobs (id, team_id, key, kind, home, events, page_limit, zero_data_retention, run_id, status,
       created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'scraping', ?, ?) RETURNING number`,
  ),
  addRequest: connection.prepare('INSERT INTO job_requests (job, url, options, webhook) VALUES (?, ?, ?, ?)'),
  find: connection.prepare<Job>(`SELECT ${JOB} FROM jobs WHERE number = ?`),
  findById: connection.prepare<Job>(`SELECT ${JOB} FROM jobs WHERE id = ?`),
  save: connection.prepare(
    `UPDATE jobs SET home = ?, page_limit = ?, status = ?, total = ?, completed = ?, failed = ?, blocked = ?, credits = ?,
       kick_offs = ?, spares = ?, known = ?, refused = ?, has_leftovers = ?, dropped_links = ?, paused_at = ?, error = ?, finished_at = ?, expires_at = ?
     WHERE number = ?`,
  ),
  view: connection.prepare<ViewRow>(`${VIEW} WHERE id = ?`),
  unfinished: connection.prepare<ViewRow>(`${VIEW} WHERE status = 'scraping' ORDER BY created_at, number`),
  unfinishedOf: connection.prepare<ViewRow>(
    `${VIEW} WHERE status = 'scraping' AND team_id = ? ORDER BY created_at, number`,
  ),
  countUnfinished: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM jobs WHERE status = 'scraping' AND team_id = ? AND run_id IS NULL`,
  ),
});
