// SQL for the log of webhook calls: what a team sees of them, sending them again, and forgetting the old ones.
import type { Connection } from '../../../util/sqlite.ts';
import type {
  DeliveryDetails,
  DeliveryLog,
  DeliveryQuery,
  DeliveryStatus,
  LoggedDelivery,
} from '../../delivery-log.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  type LogRow,
  MAX_SETTLED,
  RETENTION_MS,
  SETTLED,
  STATUSES,
  toLoggedDelivery,
  urlOfCall,
} from '../../records/deliveries/delivery-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Served } from '../served.ts';
import type { Call, CallSource } from './call-source.ts';

export interface DeliveryLogRows extends Omit<Served<DeliveryLog>, 'find'> {
  find(id: number, teamId: string): (DeliveryDetails & { body?: Bytes }) | undefined;
  removeOld: Remover;
}

interface DeliveryLogDeps {
  connection: Connection;
  callOf: CallSource;
  sealed: SealedRequests;
}

export function createDeliveryLogRows({ connection, callOf, sealed }: DeliveryLogDeps): DeliveryLogRows {
  const sql = prepareAll(connection);

  const show = (row: LogRow, call: Call | undefined, urlOf: (call: Call) => string | undefined): LoggedDelivery => {
    const url = row.url === null ? call && urlOf(call) : (sealed.open(row.url, row.teamId) as string | undefined);
    return toLoggedDelivery(row, call, url);
  };

  const rowsOf = (
    { teamId, jobId, before = Number.MAX_SAFE_INTEGER, limit }: DeliveryQuery,
    status: DeliveryStatus,
  ) => {
    if (jobId === undefined) return sql.ofTeam.all(teamId, status, before, limit);
    // Those that wait may be many, and may not know the id of their job yet; but its number is known.
    if (status !== 'waiting') return sql.ofSender.all(teamId, status, before, limit, jobId);
    const job = sql.jobNumber.get(jobId, teamId);
    if (job) return sql.waitingOfJob.all(job.number, before, limit);
    const run = sql.runNumber.get(jobId, teamId);
    return run ? sql.waitingOfRun.all(run.number, before, limit) : [];
  };

  const removeSome = (now: number, limit: number): number => {
    let removed = 0;
    for (let team = sql.nextTeam.get(''); team && removed < limit; team = sql.nextTeam.get(team.id)) {
      for (const status of SETTLED) {
        const of = [team.id, status] as const;
        const { id: lastKept = 0 } = sql.lastKept.get(...of, MAX_SETTLED) ?? {};
        removed += Number(sql.removeSurplus.run(...of, lastKept, limit).changes);
        removed += Number(sql.removeOld.run(...of, limit, now - RETENTION_MS).changes);
      }
    }
    return removed;
  };
  /** A sweep has many rounds, and looking at every team in each of them would be too much. */
  let sweptAt: number | undefined;

  const findRow = (id: number, teamId: string) => sql.find.get(id, teamId);

  return {
    list(query) {
      const rows = (query.status ? [query.status] : STATUSES).flatMap((status) => rowsOf(query, status));
      const newest = rows.sort((a, b) => b.id - a.id).slice(0, query.limit);
      const urls = new Map<string, string | undefined>();
      const urlOf = (call: Call): string | undefined => {
        if (!urls.has(call.senderId)) urls.set(call.senderId, urlOfCall(call));
        return urls.get(call.senderId);
      };
      return newest.map((row) => show(row, callOf(row), urlOf));
    },
    find(id, teamId) {
      const row = findRow(id, teamId);
      if (!row) return undefined;
      const call = callOf(row);
      const target = call?.target();
      const body = call?.isZeroRetention ? undefined : call?.body();
      return { ...show(row, call, urlOfCall), ...(target && { target }), ...(body && { body }) };
    },
    resend: (id, teamId, now) =>
      connection.transaction(() => {
        const row = findRow(id, teamId);
        if (!row) return undefined;
        const call = callOf(row);
        if (row.status !== 'waiting') {
          if (!call || call.isZeroRetention || !call.target() || !call.body()) return 'gone';
          sql.queueAgain.run(now, id);
        }
        if (row.job === null) sql.runDueNow.run(now, row.run, id);
        else sql.jobDueNow.run(now, row.job, id);
        return 'queued';
      }),
    removeOld(now, limit) {
      if (now === sweptAt) return 0;
      const removed = connection.transaction(() => removeSome(now, limit));
      if (removed === 0) sweptAt = now;
      return removed;
    },
  };
}

const COLUMNS = `id, team_id AS teamId, job, run, webhook_id AS webhookId, event, task, content, status, next_at AS nextAt, attempts,
  created_at AS createdAt, sender_id AS senderId, type, url, size, tried_at AS triedAt, status_code AS statusCode, error`;
const NEWEST = 'AND id < ? ORDER BY id DESC LIMIT ?';

const prepareAll = (connection: Connection) => ({
  ofTeam: connection.prepare<LogRow>(`SELECT ${COLUMNS} FROM deliveries WHERE team_id = ? AND status = ? ${NEWEST}`),
  ofSender: connection.prepare<LogRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE team_id = ?1 AND status = ?2 AND sender_id = ?5 AND id < ?3
     ORDER BY id DESC LIMIT ?4`,
  ),
  waitingOfJob: connection.prepare<LogRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE status = 'waiting' AND job = ? ${NEWEST}`,
  ),
  waitingOfRun: connection.prepare<LogRow>(
    `SELECT ${COLUMNS} FROM deliveries WHERE status = 'waiting' AND run = ? ${NEWEST}`,
  ),
  jobNumber: connection.prepare<{ number: number }>('SELECT number FROM jobs WHERE id = ? AND team_id = ?'),
  runNumber: connection.prepare<{ number: number }>('SELECT number FROM runs WHERE id = ? AND team_id = ?'),
  find: connection.prepare<LogRow>(`SELECT ${COLUMNS} FROM deliveries WHERE id = ? AND team_id = ?`),
  queueAgain: connection.prepare(`UPDATE deliveries SET status = 'waiting', attempts = 0, next_at = ? WHERE id = ?`),
  jobDueNow: connection.prepare(
    `UPDATE deliveries SET next_at = ?1 WHERE status = 'waiting' AND job = ?2 AND id <= ?3 AND next_at > ?1`,
  ),
  runDueNow: connection.prepare(
    `UPDATE deliveries SET next_at = ?1 WHERE status = 'waiting' AND run = ?2 AND id <= ?3 AND next_at > ?1`,
  ),
  nextTeam: connection.prepare<{ id: string }>(
    'SELECT team_id AS id FROM deliveries WHERE team_id > ? ORDER BY team_id LIMIT 1',
  ),
  lastKept: connection.prepare<{ id: number }>(
    'SELECT id FROM deliveries WHERE team_id = ? AND status = ? ORDER BY id DESC LIMIT 1 OFFSET ? - 1',
  ),
  removeSurplus: connection.prepare(
    `DELETE FROM deliveries WHERE id IN (
       SELECT id FROM deliveries WHERE team_id = ? AND status = ? AND id < ? ORDER BY id LIMIT ?)`,
  ),
  // Rows are in order of time, apart from those that were sent again: looking at the first ones is enough.
  removeOld: connection.prepare(
    `DELETE FROM deliveries WHERE id IN (
       SELECT id FROM (SELECT id, tried_at FROM deliveries WHERE team_id = ? AND status = ? ORDER BY id LIMIT ?)
       WHERE tried_at <= ?)`,
  ),
});
