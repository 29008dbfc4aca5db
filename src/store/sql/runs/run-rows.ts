// The row of a run, and its steps.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type {
  ListedRun,
  NewRun,
  RecentRunsQuery,
  RunKind,
  RunQuery,
  RunStatus,
  RunStep,
  RunView,
} from '../../ports/runs/run-store.ts';
import {
  type RecentRow,
  type Run,
  type RunViewRow,
  type StepRow,
  toListedRun,
  toRunStep,
  toRunView,
  UNFINISHED,
} from '../../rules/runs/run-record.ts';
import { type Queries, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

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
  add(tx: Tx, run: NewRun, packed: PackedRun, status?: Exclude<RunStatus, 'running'>): Promise<Run | undefined>;
  find(queries: Queries, id: string): Promise<Run | undefined>;
  view(queries: Queries, id: string): Promise<RunView | undefined>;
  toView(row: RunViewRow): Promise<RunView>;
  list(queries: Queries, teamId: string, query: RunQuery, now: number): Promise<RunView[]>;
  recent(queries: Queries, teamId: string, query: RecentRunsQuery, now: number): Promise<ListedRun[]>;
  steps(queries: Queries, id: string): Promise<RunStep[]>;
  unfinishedOfGroup(tx: Tx, group: string): Promise<string | undefined>;
  countUnfinished(tx: Tx, teamId: string, kind: RunKind): Promise<number>;
}

export function createRunRows(sealed: Sealer): RunRows {
  const toView = async (row: RunViewRow): Promise<RunView> => {
    const [request, result] = await Promise.all([
      sealed.open(row.request, row.teamId),
      row.result === null ? undefined : sealed.open(row.result, row.teamId),
    ]);
    return toRunView(row, { request, result });
  };
  const toStep = async (row: StepRow): Promise<RunStep> => {
    const [input, output] = await Promise.all([
      sealed.open(row.input, row.teamId),
      row.output === null ? undefined : sealed.open(row.output, row.teamId),
    ]);
    return toRunStep(row, { input, output });
  };

  return {
    toView,
    async pack({ teamId, request, webhook }) {
      const [sealedRequest, sealedWebhook] = await Promise.all([
        sealed.seal(request, teamId),
        webhook ? sealed.seal(webhook, teamId) : null,
      ]);
      return { request: sealedRequest, webhook: sealedWebhook };
    },
    async add(tx, run, packed, status = 'queued') {
      const { id, teamId, key = null, kind, group = null, zeroDataRetention, webhook, createdAt, keepMs } = run;
      const finishedAt = UNFINISHED.includes(status) ? null : createdAt;
      return tx.one<Run>`
        INSERT INTO runs (id, team_id, key, kind, group_id, turn, status, zero_data_retention, events, request, webhook,
          keep_ms, created_at, finished_at, expires_at)
        VALUES (${id}, ${teamId}, ${key}, ${kind}, ${group},
          (SELECT coalesce(max(turn), 0) + 1 FROM runs WHERE group_id = ${group}), ${status}, ${zeroDataRetention},
          ${webhook?.events.join(',') ?? ''}, ${packed.request}, ${packed.webhook}, ${keepMs}, ${createdAt}, ${finishedAt},
          ${createdAt + keepMs})
        ON CONFLICT (group_id) WHERE group_id IS NOT NULL AND status IN ('queued', 'running') DO NOTHING
        RETURNING ${RUN_COLUMNS}`;
    },
    find: async (queries, id) => queries.one<Run>`SELECT ${RUN_COLUMNS} FROM runs WHERE id = ${id}`,
    async view(queries, id) {
      const row = await queries.one<RunViewRow>`SELECT ${VIEW_COLUMNS} FROM runs WHERE id = ${id}`;
      return row && toView(row);
    },
    async list(queries, teamId, { kind, group, status, before, limit, offset = 0 }, now) {
      const ofGroup =
        group === undefined
          ? sql`WHERE team_id = ${teamId}`
          : sql`/* INDEXED BY runs_by_group */ WHERE team_id = ${teamId} AND group_id = ${group}`;
      const rows = await queries.rows<RunViewRow>`
        SELECT ${VIEW_COLUMNS} FROM runs ${ofGroup} AND kind = ${kind}
          ${status === undefined ? sql`` : sql`AND status = ${status}`}
          ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
          AND (status IN ('queued', 'running') OR expires_at > ${now})
        ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}`;
      return Promise.all(rows.map(toView));
    },
    async recent(queries, teamId, { kinds, statuses, after, limit }, now) {
      // The requests are opened for the little that a list shows of them.
      const rows = await queries.rows<RecentRow>`
        SELECT id, kind, group_id AS "group", status, credits, error, stop_reason AS "stopReason", created_at AS "createdAt",
          finished_at AS "finishedAt", expires_at AS "expiresAt",
          CASE WHEN zero_data_retention THEN NULL ELSE request END AS request
        FROM runs
        WHERE team_id = ${teamId} ${after === undefined ? sql`` : sql`AND (created_at, id) < (${after.at}, ${after.id})`}
          AND kind = ANY(${kinds}::text[])
          ${statuses === undefined ? sql`` : sql`AND status = ANY(${statuses}::text[])`}
          AND (status IN ('queued', 'running') OR expires_at > ${now})
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
      return Promise.all(
        rows.map(async (row) =>
          toListedRun(row, row.request === null ? undefined : await sealed.open(row.request, teamId)),
        ),
      );
    },
    async steps(queries, id) {
      const rows = await queries.rows<StepRow>`
        SELECT run_steps.key, name, input, output, run_steps.credits, run_steps.tokens,
          run_steps.started_at AS "startedAt", run_steps.finished_at AS "finishedAt", team_id AS "teamId"
        FROM runs JOIN run_steps ON run = number WHERE runs.id = ${id} ORDER BY run_steps.id`;
      return Promise.all(rows.map(toStep));
    },
    async unfinishedOfGroup(tx, group) {
      const run = await tx.one<{ id: string }>`
        SELECT id FROM runs WHERE group_id = ${group} AND status IN ('queued', 'running')`;
      return run?.id;
    },
    async countUnfinished(tx, teamId, kind) {
      const counted = await tx.one<{ count: number }>`
        SELECT count(*) AS count FROM runs /* INDEXED BY unfinished_runs */
        WHERE kind = ${kind} AND status IN ('queued', 'running') AND team_id = ${teamId}`;
      return counted!.count;
    },
  };
}

export const RUN_COLUMNS = sql`
  number, id, team_id AS "teamId", key, kind, status, zero_data_retention AS "zeroDataRetention", events, owner,
  keep_ms AS "keepMs"`;

export const VIEW_COLUMNS = sql`
  ${RUN_COLUMNS}, group_id AS "groupId", turn, request, result, error, stop_reason AS "stopReason", credits, tokens,
  worked_ms AS "workedMs", attempt, cancel_asked_at AS "cancelAskedAt", created_at AS "createdAt", started_at AS "startedAt",
  finished_at AS "finishedAt", expires_at AS "expiresAt"`;
