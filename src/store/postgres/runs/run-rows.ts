// The row of a run, and its steps.
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import {
  type RecentRow,
  type Run,
  type RunViewRow,
  type StepRow,
  toListedRun,
  toRunStep,
  toRunView,
  UNFINISHED,
} from '../../records/runs/run-record.ts';
import type {
  ListedRun,
  NewRun,
  RecentRunsQuery,
  RunKind,
  RunQuery,
  RunStatus,
  RunStep,
  RunView,
} from '../../run-store.ts';
import type { Sql } from '../database/database.ts';

/** What is sealed before the transaction that adds a run. */
export interface PackedRun {
  request: SealedText;
  webhook: SealedText | null;
}

export interface RunRows {
  pack(run: NewRun): Promise<PackedRun>;
  /**
   * `status` other than `queued`: it has ended before it began. Undefined if another run of the group is unfinished, also one
   * that another process has just added.
   */
  add(sql: Sql, run: NewRun, packed: PackedRun, status?: Exclude<RunStatus, 'running'>): Promise<Run | undefined>;
  find(sql: Sql, id: string): Promise<Run | undefined>;
  view(sql: Sql, id: string): Promise<RunView | undefined>;
  toView(row: RunViewRow): Promise<RunView>;
  list(sql: Sql, teamId: string, query: RunQuery, now: number): Promise<RunView[]>;
  recent(sql: Sql, teamId: string, query: RecentRunsQuery, now: number): Promise<ListedRun[]>;
  steps(sql: Sql, id: string): Promise<RunStep[]>;
  unfinishedOfGroup(sql: Sql, group: string): Promise<string | undefined>;
  countUnfinished(sql: Sql, teamId: string, kind: RunKind): Promise<number>;
}

export function createRunRows(sealed: SealedRequests): RunRows {
  const toView = async (row: RunViewRow): Promise<RunView> => {
    const [request, result] = await Promise.all([
      sealed.openLarge(row.request, row.teamId),
      row.result === null ? undefined : sealed.openLarge(row.result, row.teamId),
    ]);
    return toRunView(row, { request, result });
  };
  const toStep = async (row: StepRow): Promise<RunStep> => {
    const [input, output] = await Promise.all([
      sealed.openLarge(row.input, row.teamId),
      row.output === null ? undefined : sealed.openLarge(row.output, row.teamId),
    ]);
    return toRunStep(row, { input, output });
  };

  return {
    toView,
    async pack({ teamId, request, webhook }) {
      const [sealedRequest, sealedWebhook] = await Promise.all([
        sealed.sealLarge(request, teamId),
        webhook ? sealed.sealLarge(webhook, teamId) : null,
      ]);
      return { request: sealedRequest, webhook: sealedWebhook };
    },
    async add(sql, run, packed, status = 'queued') {
      const { id, teamId, key = null, kind, group = null, zeroDataRetention, webhook, createdAt, keepMs } = run;
      const finishedAt = UNFINISHED.includes(status) ? null : createdAt;
      const turn =
        group === null ? sql`1` : sql`(SELECT coalesce(max(turn), 0) + 1 FROM runs WHERE group_id = ${group})`;
      const [added] = await sql<Run[]>`
        INSERT INTO runs (id, team_id, key, kind, group_id, turn, status, zero_data_retention, events, request, webhook,
          keep_ms, created_at, finished_at, expires_at)
        VALUES (${id}, ${teamId}, ${key}, ${kind}, ${group}, ${turn}, ${status}, ${zeroDataRetention},
          ${webhook?.events.join(',') ?? ''}, ${packed.request}, ${packed.webhook}, ${keepMs}, ${createdAt}, ${finishedAt},
          ${createdAt + keepMs})
        ON CONFLICT (group_id) WHERE group_id IS NOT NULL AND status IN ('queued', 'running') DO NOTHING
        RETURNING ${runColumns(sql)}`;
      return added;
    },
    async find(sql, id) {
      const [row] = await sql<Run[]>`SELECT ${runColumns(sql)} FROM runs WHERE id = ${id}`;
      return row;
    },
    async view(sql, id) {
      const [row] = await sql<RunViewRow[]>`SELECT ${viewColumns(sql)} FROM runs WHERE id = ${id}`;
      return row && toView(row);
    },
    async list(sql, teamId, { kind, group, status, before, limit, offset = 0 }, now) {
      const rows = await sql<RunViewRow[]>`
        SELECT ${viewColumns(sql)} FROM runs WHERE team_id = ${teamId} AND kind = ${kind}
          ${group === undefined ? sql`` : sql`AND group_id = ${group}`}
          ${status === undefined ? sql`` : sql`AND status = ${status}`}
          ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
          AND (status IN ('queued', 'running') OR expires_at > ${now})
        ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}`;
      return Promise.all(rows.map(toView));
    },
    async recent(sql, teamId, { kinds, statuses, after, limit }, now) {
      const rows = await sql<RecentRow[]>`
        SELECT id, kind, group_id AS "group", status, credits, error, stop_reason AS "stopReason", created_at AS "createdAt",
          finished_at AS "finishedAt", expires_at AS "expiresAt",
          CASE WHEN zero_data_retention THEN NULL ELSE request END AS request
        FROM runs
        WHERE team_id = ${teamId} ${after === undefined ? sql`` : sql`AND (created_at, id) < (${after.at}, ${after.id})`}
          AND kind = ANY(${kinds as string[]})
          ${statuses === undefined ? sql`` : sql`AND status = ANY(${statuses as string[]})`}
          AND (status IN ('queued', 'running') OR expires_at > ${now})
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
      return Promise.all(
        rows.map(async (row) =>
          toListedRun(row, row.request === null ? undefined : await sealed.openLarge(row.request, teamId)),
        ),
      );
    },
    async steps(sql, id) {
      const rows = await sql<StepRow[]>`
        SELECT run_steps.key, name, input, output, run_steps.credits, run_steps.tokens,
          run_steps.started_at AS "startedAt", run_steps.finished_at AS "finishedAt", team_id AS "teamId"
        FROM runs JOIN run_steps ON run = number WHERE runs.id = ${id} ORDER BY run_steps.id`;
      return Promise.all(rows.map(toStep));
    },
    async unfinishedOfGroup(sql, group) {
      const [row] = await sql<{ id: string }[]>`
        SELECT id FROM runs WHERE group_id = ${group} AND status IN ('queued', 'running')`;
      return row?.id;
    },
    async countUnfinished(sql, teamId, kind) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*) FROM runs WHERE kind = ${kind} AND status IN ('queued', 'running') AND team_id = ${teamId}`;
      return row!.count;
    },
  };
}

export const runColumns = (sql: Sql) => sql`
  number, id, team_id AS "teamId", key, kind, status, zero_data_retention AS "zeroDataRetention", events, owner,
  keep_ms AS "keepMs"`;

export const viewColumns = (sql: Sql) => sql`
  ${runColumns(sql)}, group_id AS "groupId", turn, request, result, error, stop_reason AS "stopReason", credits, tokens,
  worked_ms AS "workedMs", attempt, cancel_asked_at AS "cancelAskedAt", created_at AS "createdAt", started_at AS "startedAt",
  finished_at AS "finishedAt", expires_at AS "expiresAt"`;
