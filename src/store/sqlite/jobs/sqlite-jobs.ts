// The JobStore port in SQLite: view, results and cancel. What starts and changes jobs is in job-start/ and job-control/.
import type { JobStatus } from '../../../contracts/job.ts';
import { freeBuffersOf } from '../../../util/free-bytes.ts';
import type { Connection } from '../../../util/sqlite.ts';
import { type Bytes, joinBytes } from '../../encoding/join-bytes.ts';
import type { JobStore, JobView, PageError, ResultPage } from '../../job-store.ts';
import type { JobViews } from '../../job-views.ts';
import { isReadable } from '../../records/jobs/job-record.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { Served } from '../served.ts';
import type { UsedKeys } from '../used-keys.ts';
import type { DocumentJson } from './document-json.ts';
import { createJobControl, type JobControl } from './job-control/job-control.ts';
import type { JobEnd } from './job-end.ts';
import type { JobRows } from './job-rows.ts';
import { createJobStart, type JobStart } from './job-start/job-start.ts';
import { createJobViews } from './job-views/job-views.ts';
import type { TaskRows } from './task-rows.ts';

/** More than anyone reads, and small enough for one response. */
const MAX_PROBLEMS = 50_000;
const UNFINISHED = new Set(['waiting', 'running', 'paused', 'spare']);
/** For the rest of the answer, so that megabytes need not be copied for it. */
const ANSWER_ROOM = 4096;
const COMMA = new TextEncoder().encode(',');

type Own = 'view' | 'refusal' | 'pageWithoutResult' | 'problems' | 'unfinished' | 'running';

export interface SqliteJobs extends JobStart, JobControl, Served<JobViews>, Pick<Served<JobStore>, Own> {
  results(...args: Parameters<JobStore['results']>): ResultPage & { json: Bytes };
  /** `isForgotten`: nothing of the job may be kept, so its rows must be removed now. */
  cancel(id: string, teamId: string, now: number): { status: JobStatus; isForgotten: boolean } | undefined;
}

export interface SqliteJobsDeps {
  connection: Connection;
  rows: JobRows;
  tasks: TaskRows;
  deliveries: Pick<DeliveryRows, 'queue'>;
  ledger: Pick<LedgerRows, 'list'>;
  end: JobEnd;
  usedKeys: UsedKeys;
  documentJson: DocumentJson;
}

export function createSqliteJobs({
  connection,
  rows,
  tasks,
  deliveries,
  ledger,
  end,
  usedKeys,
  documentJson,
}: SqliteJobsDeps): SqliteJobs {
  const sql = prepareAll(connection);

  const findForTeam = (id: string, teamId: string, now: number) => {
    const job = rows.findById(id);
    return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
  };

  return {
    ...createJobStart({ connection, rows, tasks, deliveries, ledger, end, usedKeys, find: findForTeam }),
    ...createJobViews(connection),
    ...createJobControl({ connection, rows, tasks, end, find: findForTeam }),

    view(id, teamId, now) {
      const job = rows.view(id);
      return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
    },

    results(id, { skip, limit, maxBytes }) {
      const job = rows.findById(id);
      const parts: Uint8Array[] = [];
      const ends: number[] = [];
      let bytes = 0;
      for (const document of job ? documentJson.ofJob(job.number, skip, limit) : []) {
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

    pageWithoutResult(scrapeId, teamId, now) {
      const page = sql.pageOfBatch.get(scrapeId, teamId, now);
      if (page?.state === 'failed') return { state: 'failed', code: page.code, message: page.message };
      return page && UNFINISHED.has(page.state) ? { state: 'unfinished' } : undefined;
    },

    problems: (id) => ({
      errors: sql.errors.all(id, MAX_PROBLEMS),
      robotsBlocked: sql.blocked.all(id, MAX_PROBLEMS).map(({ url }) => url),
    }),

    unfinished: (teamId) => rows.unfinished(teamId),

    running: (ids) => ids.map((id) => rows.view(id)).filter((job) => job?.status === 'scraping') as JobView[],

    cancel(id, teamId, now) {
      return connection.transaction(() => {
        const job = findForTeam(id, teamId, now);
        if (!job) return undefined;
        const isForgotten = Boolean(job.zeroDataRetention);
        if (job.status === 'scraping') end.end(job, 'cancelled', now);
        if (isForgotten) job.expiresAt = 0;
        rows.save(job);
        return { status: isForgotten ? 'cancelled' : job.status, isForgotten };
      });
    },
  };
}

const prepareAll = (connection: Connection) => ({
  // The jobs of a team are few; the key is unique within each.
  pageOfBatch: connection.prepare<{ state: string; code: string; message: string }>(
    `SELECT tasks.state, tasks.code, tasks.message FROM jobs CROSS JOIN tasks ON tasks.job = jobs.number AND tasks.key = ?1
     WHERE team_id = ?2 AND jobs.kind = 'batch_scrape' AND zero_data_retention = 0
       AND (status = 'scraping' OR (expires_at > ?3 AND finished_at IS NOT NULL)) LIMIT 1`,
  ),
  errors: connection.prepare<PageError>(
    `SELECT scrape_id AS id, ended_at AS at, url, code, message FROM tasks
     WHERE job = (SELECT number FROM jobs WHERE jobs.id = ?) AND state IN ('failed', 'blocked', 'refused')
       AND state <> 'blocked' ORDER BY ended_at, tasks.id LIMIT ?`,
  ),
  blocked: connection.prepare<{ url: string }>(
    `SELECT url FROM tasks WHERE job = (SELECT number FROM jobs WHERE jobs.id = ?)
       AND state IN ('failed', 'blocked', 'refused') AND state = 'blocked' ORDER BY tasks.id LIMIT ?`,
  ),
});
