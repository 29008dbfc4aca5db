// The row of a monitor: its definition, and when it runs next.
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { MonitorChange, NewMonitor, StoredMonitor } from '../../monitor-store.ts';
import { type Monitor, type MonitorViewRow, toMonitor } from '../../records/runs/monitor-record.ts';
import type { Sql } from '../database/database.ts';

/** How the row is locked: `change` waits for everybody else who uses it, `use` only for those who change it. */
type Lock = 'change' | 'use';

export interface MonitorRows {
  add(sql: Sql, monitor: NewMonitor, definition: SealedText): Promise<void>;
  count(sql: Sql, teamId: string): Promise<number>;
  /** Undefined if it is deleted. */
  find(sql: Sql, id: string, lock?: Lock): Promise<Monitor | undefined>;
  /** Undefined if it is deleted, or if its definition was sealed with another secret. */
  view(sql: Sql, id: string, teamId: string, now: number): Promise<StoredMonitor | undefined>;
  list(sql: Sql, teamId: string, limit: number, offset: number, now: number): Promise<StoredMonitor[]>;
  due(sql: Sql, now: number, limit: number): Promise<StoredMonitor[]>;
  nextAt(sql: Sql): Promise<number | undefined>;
  change(sql: Sql, monitor: Monitor, change: MonitorChange, definition: SealedText): Promise<void>;
  /** True if the monitor was due at that time and no other process has moved it on. */
  moveOn(sql: Sql, id: string, from: number, to: number): Promise<boolean>;
  noteStart(sql: Sql, id: string, now: number): Promise<void>;
  markDeleted(sql: Sql, monitor: Monitor, now: number): Promise<void>;
  /** Removes deleted monitors to which nothing refers any more. */
  removeDeleted(sql: Sql, limit: number): Promise<number>;
}

export function createMonitorRows(sealed: SealedRequests): MonitorRows {
  const read = async (row: MonitorViewRow): Promise<StoredMonitor | undefined> => {
    const [definition, lastResult] = await Promise.all([
      sealed.openLarge(row.definition, row.teamId),
      row.lastResult === null ? undefined : sealed.openLarge(row.lastResult, row.teamId),
    ]);
    return toMonitor(row, { definition, lastResult });
  };
  const readAll = async (rows: readonly MonitorViewRow[]) =>
    (await Promise.all(rows.map(read))).filter((monitor) => monitor !== undefined);

  return {
    async add(sql, { id, teamId, key = null, nextRunAt, createdAt }, definition) {
      await sql`
        INSERT INTO monitors (id, team_id, key, status, definition, next_run_at, created_at, updated_at)
        VALUES (${id}, ${teamId}, ${key}, 'active', ${definition}, ${nextRunAt}, ${createdAt}, ${createdAt})`;
    },
    async count(sql, teamId) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*) FROM monitors WHERE team_id = ${teamId} AND status <> 'deleted'`;
      return row!.count;
    },
    async find(sql, id, lock) {
      const locked = { change: sql`FOR NO KEY UPDATE`, use: sql`FOR SHARE` };
      const [row] = await sql<Monitor[]>`
        SELECT number, id, team_id AS "teamId", status, version FROM monitors WHERE id = ${id} AND status <> 'deleted'
        ${lock === undefined ? sql`` : locked[lock]}`;
      return row;
    },
    async view(sql, id, teamId, now) {
      const [row] = await sql<MonitorViewRow[]>`
        ${views(sql, now)} WHERE id = ${id} AND team_id = ${teamId} AND status <> 'deleted'`;
      return row && read(row);
    },
    list: async (sql, teamId, limit, offset, now) =>
      readAll(
        await sql<MonitorViewRow[]>`
          ${views(sql, now)} WHERE team_id = ${teamId} AND status <> 'deleted'
          ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}`,
      ),
    async due(sql, now, limit) {
      const rows = await sql<MonitorViewRow[]>`
        ${views(sql, now)} WHERE next_run_at <= ${now} ORDER BY next_run_at LIMIT ${limit}`;
      const monitors = await readAll(rows);
      const readable = new Set(monitors.map(({ id }) => id));
      const unreadable = rows.filter(({ id }) => !readable.has(id)).map(({ number }) => number);
      // They could never be started, and would be due for ever.
      if (unreadable.length > 0)
        await sql`UPDATE monitors SET status = 'paused', next_run_at = NULL
          WHERE number = ANY(${unreadable}) AND status = 'active'`;
      return monitors;
    },
    async nextAt(sql) {
      const [row] = await sql<{ at: number | null }[]>`
        SELECT min(next_run_at) AS at FROM monitors WHERE next_run_at IS NOT NULL`;
      return row!.at ?? undefined;
    },
    async change(sql, { number }, { status, nextRunAt, now }, definition) {
      await sql`
        UPDATE monitors SET status = ${status}, definition = ${definition}, updated_at = ${now}, version = version + 1
          ${nextRunAt === undefined ? sql`` : sql`, next_run_at = ${nextRunAt}`}
        WHERE number = ${number}`;
    },
    async moveOn(sql, id, from, to) {
      const moved = await sql`UPDATE monitors SET next_run_at = ${to} WHERE id = ${id} AND next_run_at = ${from}`;
      return moved.count > 0;
    },
    noteStart: async (sql, id, now) => void (await sql`UPDATE monitors SET last_run_at = ${now} WHERE id = ${id}`),
    async markDeleted(sql, { number }, now) {
      await sql`
        UPDATE monitors SET status = 'deleted', next_run_at = NULL, updated_at = ${now} WHERE number = ${number}`;
    },
    async removeDeleted(sql, limit) {
      const removed = await sql`
        DELETE FROM monitors WHERE number IN (
          SELECT number FROM monitors WHERE status = 'deleted'
            AND NOT EXISTS (SELECT 1 FROM watched_pages WHERE monitor = monitors.number)
            AND NOT EXISTS (SELECT 1 FROM runs WHERE group_id = monitors.id) LIMIT ${limit})`;
      return removed.count;
    },
  };
}

const views = (sql: Sql, now: number) => sql`
  SELECT number, id, team_id AS "teamId", status, version, key, definition, next_run_at AS "nextRunAt",
    last_run_at AS "lastRunAt", created_at AS "createdAt", updated_at AS "updatedAt",
    (SELECT id FROM runs WHERE group_id = monitors.id AND status IN ('queued', 'running')) AS "currentCheckId",
    (SELECT result FROM runs WHERE group_id = monitors.id AND result IS NOT NULL AND expires_at > ${now}
     ORDER BY number DESC LIMIT 1) AS "lastResult"
  FROM monitors`;
