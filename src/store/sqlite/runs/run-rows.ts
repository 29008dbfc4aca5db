// The row of a run, and its steps.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  type Run,
  type RunViewRow,
  type StepRow,
  toRunStep,
  toRunView,
  UNFINISHED,
} from '../../records/runs/run-record.ts';
import type { NewRun, RunQuery, RunStatus, RunStep, RunView } from '../../run-store.ts';

export interface RunRows {
  /** `status` other than `queued`: it has ended before it began. */
  add(run: NewRun, status?: Exclude<RunStatus, 'running'>): Run;
  find(id: string): Run | undefined;
  view(id: string): RunView | undefined;
  list(teamId: string, query: RunQuery, now: number): RunView[];
  steps(id: string): RunStep[];
  unfinishedOfGroup(group: string): string | undefined;
  countUnfinished(teamId: string, kind: RunView['kind']): number;
}

export function createRunRows(connection: Connection, sealed: SealedRequests): RunRows {
  const sql = prepareAll(connection);

  const toView = (row: RunViewRow): RunView =>
    toRunView(row, {
      request: sealed.open(row.request, row.teamId),
      ...(row.result !== null && { result: sealed.open(row.result, row.teamId) }),
    });

  const toStep = (row: StepRow): RunStep =>
    toRunStep(row, {
      input: sealed.open(row.input, row.teamId),
      ...(row.output !== null && { output: sealed.open(row.output, row.teamId) }),
    });

  const find = (id: string): Run | undefined => sql.find.get(id);

  return {
    find,
    add(run, status = 'queued') {
      const { id, teamId, key = null, kind, group = null, zeroDataRetention, webhook, createdAt, keepMs } = run;
      const turn = group === null ? 1 : sql.lastTurn.get(group)!.turn + 1;
      const events = webhook?.events.join(',') ?? '';
      const request = sealed.seal(run.request, teamId);
      const target = webhook ? sealed.seal(webhook, teamId) : null;
      const finishedAt = UNFINISHED.includes(status) ? null : createdAt;
      const values = [id, teamId, key, kind, group, turn, status, zeroDataRetention ? 1 : 0, events, request, target];
      sql.add.run(...values, keepMs, createdAt, finishedAt, createdAt + keepMs);
      return find(id)!;
    },
    view(id) {
      const row = sql.view.get(id);
      return row && toView(row);
    },
    list(teamId, { kind, group, status, before, limit, offset = 0 }, now) {
      const filter = [kind, status ?? null, before ?? null, now, limit, offset] as const;
      const found = group === undefined ? sql.list.all(teamId, ...filter) : sql.listGroup.all(teamId, ...filter, group);
      return found.map(toView);
    },
    steps: (id) => sql.steps.all(id).map(toStep),
    unfinishedOfGroup: (group) => sql.unfinishedOfGroup.get(group)?.id,
    countUnfinished: (teamId, kind) => sql.countUnfinished.get(kind, teamId)!.count,
  };
}

const RUN =
  'number, id, team_id AS teamId, key, kind, status, zero_data_retention AS zeroDataRetention, events, owner, keep_ms AS keepMs';
const VIEW = `${RUN}, group_id AS groupId, turn, request, result, error, stop_reason AS stopReason, credits, tokens,
  worked_ms AS workedMs, attempt, cancel_asked_at AS cancelAskedAt, created_at AS createdAt, started_at AS startedAt,
  finished_at AS finishedAt, expires_at AS expiresAt`;

const LISTED = `team_id = ?1 AND kind = ?2 AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR created_at < ?4)
  AND (status IN ('queued', 'running') OR expires_at > ?5)`;
const NEWEST_FIRST = 'ORDER BY number DESC LIMIT ?6 OFFSET ?7';

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    `INSERT INTO runs (id, team_id, key, kind, group_id, turn, status, zero_data_retention, events, request, webhook, keep_ms,
       created_at, finished_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  find: connection.prepare<Run>(`SELECT ${RUN} FROM runs WHERE id = ?`),
  view: connection.prepare<RunViewRow>(`SELECT ${VIEW} FROM runs WHERE id = ?`),
  list: connection.prepare<RunViewRow>(`SELECT ${VIEW} FROM runs WHERE ${LISTED} ${NEWEST_FIRST}`),
  listGroup: connection.prepare<RunViewRow>(
    `SELECT ${VIEW} FROM runs INDEXED BY runs_by_group WHERE group_id IS NOT NULL AND group_id = ?8 AND ${LISTED}
     ${NEWEST_FIRST}`,
  ),
  steps: connection.prepare<StepRow>(
    `SELECT run_steps.key, name, input, output, run_steps.credits, run_steps.tokens, run_steps.started_at AS startedAt,
       run_steps.finished_at AS finishedAt, team_id AS teamId
     FROM runs JOIN run_steps ON run = number WHERE runs.id = ? ORDER BY run_steps.id`,
  ),
  lastTurn: connection.prepare<{ turn: number }>(
    'SELECT coalesce(max(turn), 0) AS turn FROM runs WHERE group_id IS NOT NULL AND group_id = ?',
  ),
  unfinishedOfGroup: connection.prepare<{ id: string }>(
    `SELECT id FROM runs WHERE group_id IS NOT NULL AND group_id = ? AND status IN ('queued', 'running')`,
  ),
  countUnfinished: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM runs INDEXED BY unfinished_runs
     WHERE kind = ? AND status IN ('queued', 'running') AND team_id = ?`,
  ),
});
