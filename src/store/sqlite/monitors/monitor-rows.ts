// The row of a monitor: its definition, and when it runs next.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { MonitorChange, NewMonitor, StoredMonitor } from '../../monitor-store.ts';
import { type Monitor, type MonitorViewRow, toMonitor } from '../../records/runs/monitor-record.ts';

export interface MonitorRows {
  add(monitor: NewMonitor): void;
  count(teamId: string): number;
  find(id: string): Monitor | undefined;
  /** Undefined if it is deleted, or if its definition was sealed with another secret. */
  view(id: string, teamId: string, now: number): StoredMonitor | undefined;
  list(teamId: string, limit: number, offset: number, now: number): StoredMonitor[];
  due(now: number, limit: number): StoredMonitor[];
  nextAt(): number | undefined;
  change(monitor: Monitor, change: MonitorChange): void;
  /** True if the monitor was due at that time and no other call has moved it on. */
  moveOn(id: string, from: number, to: number): boolean;
  noteStart(id: string, now: number): void;
  markDeleted(monitor: Monitor, now: number): void;
  /** Removes deleted monitors to which nothing refers any more. */
  removeDeleted(limit: number): number;
}

export function createMonitorRows(connection: Connection, sealed: SealedRequests): MonitorRows {
  const sql = prepareAll(connection);

  const read = (row: MonitorViewRow): StoredMonitor | undefined =>
    toMonitor(row, {
      definition: sealed.open(row.definition, row.teamId),
      ...(row.lastResult !== null && { lastResult: sealed.open(row.lastResult, row.teamId) }),
    });

  return {
    add({ id, teamId, key = null, definition, nextRunAt, createdAt }) {
      sql.add.run(id, teamId, key, sealed.seal(definition, teamId), nextRunAt, createdAt, createdAt);
    },
    count: (teamId) => sql.count.get(teamId)!.count,
    find: (id) => sql.find.get(id),
    view(id, teamId, now) {
      const row = sql.view.get(now, id, teamId);
      return row && read(row);
    },
    list: (teamId, limit, offset, now) => sql.list.all(now, teamId, limit, offset).flatMap((row) => read(row) ?? []),
    due: (now, limit) =>
      sql.due.all(now, limit).flatMap((row) => {
        const monitor = read(row);
        // It could never be started, and would be due for ever.
        if (!monitor) sql.pause.run(row.number);
        return monitor ?? [];
      }),
    nextAt: () => sql.nextAt.get()!.at ?? undefined,
    change({ number, teamId }, { status, definition, nextRunAt, now }) {
      sql.change.run(status, sealed.seal(definition, teamId), now, number);
      if (nextRunAt !== undefined) sql.reschedule.run(nextRunAt, number);
    },
    moveOn: (id, from, to) => Number(sql.moveOn.run(to, id, from).changes) > 0,
    noteStart: (id, now) => void sql.noteStart.run(now, id),
    markDeleted: ({ number }, now) => void sql.markDeleted.run(now, number),
    removeDeleted: (limit) => Number(sql.removeDeleted.run(limit).changes),
  };
}

const MONITOR = 'number, id, team_id AS teamId, status, version';
const VIEW = `${MONITOR}, key, definition, next_run_at AS nextRunAt, last_run_at AS lastRunAt, created_at AS createdAt,
  updated_at AS updatedAt,
  (SELECT id FROM runs WHERE group_id IS NOT NULL AND group_id = monitors.id AND status IN ('queued', 'running'))
    AS currentCheckId,
  (SELECT result FROM runs WHERE group_id IS NOT NULL AND group_id = monitors.id AND result IS NOT NULL AND expires_at > ?1
   ORDER BY number DESC LIMIT 1) AS lastResult`;

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    `INSERT INTO monitors (id, team_id, key, status, definition, next_run_at, created_at, updated_at)
     VALUES (?, ?, ?, 'active', ?, ?, ?, ?)`,
  ),
  count: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM monitors WHERE team_id = ? AND status <> 'deleted'`,
  ),
  find: connection.prepare<Monitor>(`SELECT ${MONITOR} FROM monitors WHERE id = ?`),
  view: connection.prepare<MonitorViewRow>(
    `SELECT ${VIEW} FROM monitors WHERE id = ?2 AND team_id = ?3 AND status <> 'deleted'`,
  ),
  list: connection.prepare<MonitorViewRow>(
    `SELECT ${VIEW} FROM monitors WHERE team_id = ?2 AND status <> 'deleted' ORDER BY number DESC LIMIT ?3 OFFSET ?4`,
  ),
  due: connection.prepare<MonitorViewRow>(
    `SELECT ${VIEW} FROM monitors WHERE next_run_at IS NOT NULL AND next_run_at <= ?1 ORDER BY next_run_at LIMIT ?2`,
  ),
  nextAt: connection.prepare<{ at: number | null }>(
    'SELECT min(next_run_at) AS at FROM monitors WHERE next_run_at IS NOT NULL',
  ),
  change: connection.prepare(
    'UPDATE monitors SET status = ?, definition = ?, updated_at = ?, version = version + 1 WHERE number = ?',
  ),
  reschedule: connection.prepare('UPDATE monitors SET next_run_at = ? WHERE number = ?'),
  pause: connection.prepare(`UPDATE monitors SET status = 'paused', next_run_at = NULL WHERE number = ?`),
  moveOn: connection.prepare('UPDATE monitors SET next_run_at = ? WHERE id = ? AND next_run_at = ?'),
  noteStart: connection.prepare('UPDATE monitors SET last_run_at = ? WHERE id = ?'),
  markDeleted: connection.prepare(
    `UPDATE monitors SET status = 'deleted', next_run_at = NULL, updated_at = ? WHERE number = ?`,
  ),
  removeDeleted: connection.prepare(
    `DELETE FROM monitors WHERE number IN (
       SELECT number FROM monitors WHERE status = 'deleted'
         AND NOT EXISTS (SELECT 1 FROM watched_pages WHERE monitor = monitors.number)
         AND NOT EXISTS (SELECT 1 FROM runs WHERE group_id IS NOT NULL AND group_id = monitors.id) LIMIT ?)`,
  ),
});
