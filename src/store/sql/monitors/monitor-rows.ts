// The row of a monitor: its definition, and when it runs next.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { MonitorChange, NewMonitor, StoredMonitor } from '../../ports/runs/monitor-store.ts';
import { type Monitor, type MonitorViewRow, toMonitor } from '../../rules/runs/monitor-record.ts';
import { type Awaitable, type Queries, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

export interface MonitorRows {
  add(tx: Tx, monitor: NewMonitor, definition: SealedText): Awaitable<unknown>;
  count(tx: Tx, teamId: string): Promise<number>;
  /** Undefined if it is deleted. */
  find(queries: Queries, id: string): Awaitable<Monitor | undefined>;
  /** Finds the monitor and locks it against all other uses. */
  lock(tx: Tx, id: string): Awaitable<Monitor | undefined>;
  /** Finds the monitor and locks it against changes only. */
  share(tx: Tx, id: string): Awaitable<Monitor | undefined>;
  /** Undefined if it is deleted, or if its definition was sealed with another secret. */
  view(queries: Queries, id: string, teamId: string, now: number): Promise<StoredMonitor | undefined>;
  list(queries: Queries, teamId: string, limit: number, offset: number, now: number): Promise<StoredMonitor[]>;
  due(queries: Queries, now: number, limit: number): Promise<StoredMonitor[]>;
  nextAt(queries: Queries): Promise<number | undefined>;
  change(tx: Tx, monitor: Monitor, change: MonitorChange, definition: SealedText): Awaitable<unknown>;
  /** True if the monitor was due at that time and no other call has moved it on. */
  moveOn(tx: Tx, id: string, from: number, to: number): Promise<boolean>;
  noteStart(tx: Tx, id: string, now: number): Awaitable<unknown>;
  markDeleted(tx: Tx, monitor: Monitor, now: number): Awaitable<unknown>;
  /** Removes deleted monitors to which nothing refers any more. */
  removeDeleted(queries: Queries, limit: number): Awaitable<number>;
}

export function createMonitorRows(sealed: Sealer): MonitorRows {
  const read = async (row: MonitorViewRow): Promise<StoredMonitor | undefined> => {
    const [definition, lastResult] = await Promise.all([
      sealed.open(row.definition, row.teamId),
      row.lastResult === null ? undefined : sealed.open(row.lastResult, row.teamId),
    ]);
    return toMonitor(row, { definition, lastResult });
  };
  const readAll = async (rows: readonly MonitorViewRow[]) =>
    (await Promise.all(rows.map(read))).filter((monitor) => monitor !== undefined);

  return {
    add: (tx, { id, teamId, key = null, nextRunAt, createdAt }, definition) => tx.run`
      INSERT INTO monitors (id, team_id, key, status, definition, next_run_at, created_at, updated_at)
      VALUES (${id}, ${teamId}, ${key}, 'active', ${definition}, ${nextRunAt}, ${createdAt}, ${createdAt})`,
    async count(tx, teamId) {
      const counted = await tx.one<{ count: number }>`
        SELECT count(*) AS count FROM monitors WHERE team_id = ${teamId} AND status <> 'deleted'`;
      return counted!.count;
    },
    find: (queries, id) => queries.one<Monitor>`${MONITORS} WHERE id = ${id} AND status <> 'deleted'`,
    lock: (tx, id) => tx.one<Monitor>`${MONITORS} WHERE id = ${id} AND status <> 'deleted' FOR NO KEY UPDATE`,
    share: (tx, id) => tx.one<Monitor>`${MONITORS} WHERE id = ${id} AND status <> 'deleted' FOR SHARE`,
    async view(queries, id, teamId, now) {
      const row = await queries.one<MonitorViewRow>`
        ${views(now)} WHERE id = ${id} AND team_id = ${teamId} AND status <> 'deleted'`;
      return row && read(row);
    },
    list: async (queries, teamId, limit, offset, now) =>
      readAll(
        await queries.rows<MonitorViewRow>`
          ${views(now)} WHERE team_id = ${teamId} AND status <> 'deleted'
          ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}`,
      ),
    async due(queries, now, limit) {
      const rows = await queries.rows<MonitorViewRow>`
        ${views(now)} WHERE next_run_at <= ${now} ORDER BY next_run_at LIMIT ${limit}`;
      const monitors = await readAll(rows);
      const readable = new Set(monitors.map(({ id }) => id));
      const unreadable = rows.filter(({ id }) => !readable.has(id)).map(({ number }) => number);
      // They could never be started, and would be due for ever.
      if (unreadable.length > 0)
        await queries.run`UPDATE monitors SET status = 'paused', next_run_at = NULL
          WHERE number = ANY(${unreadable}::bigint[]) AND status = 'active'`;
      return monitors;
    },
    async nextAt(queries) {
      const next = await queries.one<{ at: number | null }>`
        SELECT min(next_run_at) AS at FROM monitors WHERE next_run_at IS NOT NULL`;
      return next!.at ?? undefined;
    },
    change: (tx, { number }, { status, nextRunAt, now }, definition) => tx.run`
      UPDATE monitors SET status = ${status}, definition = ${definition}, updated_at = ${now}, version = version + 1
        ${nextRunAt === undefined ? sql`` : sql`, next_run_at = ${nextRunAt}`}
      WHERE number = ${number}`,
    moveOn: async (tx, id, from, to) =>
      (await tx.run`UPDATE monitors SET next_run_at = ${to} WHERE id = ${id} AND next_run_at = ${from}`) > 0,
    noteStart: (tx, id, now) => tx.run`UPDATE monitors SET last_run_at = ${now} WHERE id = ${id}`,
    markDeleted: (tx, { number }, now) => tx.run`
      UPDATE monitors SET status = 'deleted', next_run_at = NULL, updated_at = ${now} WHERE number = ${number}`,
    removeDeleted: (queries, limit) => queries.run`
      DELETE FROM monitors WHERE number IN (
        SELECT number FROM monitors WHERE status = 'deleted'
          AND NOT EXISTS (SELECT 1 FROM watched_pages WHERE monitor = monitors.number)
          AND NOT EXISTS (SELECT 1 FROM runs WHERE group_id = monitors.id) LIMIT ${limit})`,
  };
}

const MONITORS = sql`SELECT number, id, team_id AS "teamId", status, version FROM monitors`;

const views = (now: number) => sql`
  SELECT number, id, team_id AS "teamId", status, version, key, definition, next_run_at AS "nextRunAt",
    last_run_at AS "lastRunAt", created_at AS "createdAt", updated_at AS "updatedAt",
    (SELECT id FROM runs WHERE group_id = monitors.id AND status IN ('queued', 'running')) AS "currentCheckId",
    (SELECT result FROM runs WHERE group_id = monitors.id AND result IS NOT NULL AND expires_at > ${now}
     ORDER BY number DESC LIMIT 1) AS "lastResult"
  FROM monitors`;
