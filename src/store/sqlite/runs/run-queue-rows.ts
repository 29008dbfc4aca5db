// Claims of runs, their steps and their ends, each in one transaction with everything that follows from it.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  CANDIDATES,
  type Candidate,
  chooseRuns,
  keepMsOf,
  OPERATION,
  type Run,
} from '../../records/runs/run-record.ts';
import type { RunQueue } from '../../run-queue.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { Served } from '../served.ts';
import type { RunRows } from './run-rows.ts';

export interface RunQueueRows extends Served<RunQueue> {
  /** Called at the start of the only process of a data folder: all earlier owners are dead. */
  releaseAll(): void;
}

interface RunQueueDeps {
  connection: Connection;
  rows: RunRows;
  sealed: SealedRequests;
  deliveries: Pick<DeliveryRows, 'queueOfRun'>;
  ledger: Pick<LedgerRows, 'record'>;
}

export function createRunQueueRows({ connection, rows, sealed, deliveries, ledger }: RunQueueDeps): RunQueueRows {
  const sql = prepareAll(connection);

  /** The run, if the owner still works on it. */
  const findOwn = (owner: string, id: string): Run | undefined => {
    const run = rows.find(id);
    return run?.status === 'running' && run.owner === owner ? run : undefined;
  };

  /** Counts the time since the last write as time of work, as every write to a running run does. */
  const touch = (run: Run, now: number) => void sql.touch.run(now, now, run.number);

  /** Does `work` with the run in a transaction; false if the owner has lost it. */
  const withOwn = (owner: string, id: string, now: number, work: (run: Run) => void): boolean =>
    connection.transaction(() => {
      const run = findOwn(owner, id);
      if (!run) return false;
      touch(run, now);
      work(run);
      return true;
    });

  return {
    claim({ owner, kind, slots, teamSlots, since = 0, now, leaseUntil }) {
      return connection.transaction(() => {
        const free = sql.candidates.all(kind, now, since, CANDIDATES);
        const taken = chooseRuns(free, sql.runningByTeam.all(kind, now), { slots, teamSlots }).map(({ number, id }) => {
          sql.take.run(owner, leaseUntil, now, now, number);
          return rows.view(id)!;
        });
        const nextAt = sql.nextLease.get(kind)!.at;
        return { runs: taken, ...(nextAt !== null && { nextAt }) };
      });
    },

    extend(owner, ids, leaseUntil, now) {
      return connection.transaction(() => {
        const held = ids.map((id) => ({ id, run: findOwn(owner, id) }));
        for (const { run } of held) {
          if (!run) continue;
          sql.extend.run(leaseUntil, run.number);
          touch(run, now);
        }
        return {
          lost: held.filter(({ run }) => !run).map(({ id }) => id),
          cancelled: held.filter(({ run }) => run && sql.isCancelled.get(run.number)).map(({ id }) => id),
        };
      });
    },

    beginStep: (owner, id, { key, name, input }, now) =>
      withOwn(
        owner,
        id,
        now,
        (run) => void sql.beginStep.run(run.number, key, name, sealed.seal(input, run.teamId), now),
      ),

    endStep: (owner, id, { key, output, credits, tokens, events = [] }, now) =>
      withOwn(owner, id, now, (run) => {
        const { changes } = sql.endStep.run(sealed.seal(output, run.teamId), credits, tokens, now, run.number, key);
        // It has ended before.
        if (changes === 0) return;
        sql.addCost.run(credits, tokens, run.number);
        for (const event of events) deliveries.queueOfRun(run, event, now);
      }),

    end: (owner, id, { status, result, error, stopReason, credits, events = [] }, now) =>
      withOwn(owner, id, now, (run) => {
        const { teamId, key, kind, zeroDataRetention } = run;
        const sealedResult = result === undefined ? null : sealed.seal(result, teamId);
        const expiresAt = now + keepMsOf(run);
        sql.end.run(status, sealedResult, error ?? null, stopReason ?? null, credits, now, expiresAt, run.number);
        // What a check has found is in its pages, and a monitor has thousands of checks.
        if (zeroDataRetention || kind === 'check') sql.removeSteps.run(run.number);
        const account = { teamId, ...(key !== null && { key }), ...(!zeroDataRetention && { job: id }) };
        ledger.record({ ...account, operation: OPERATION[kind], credits, succeeded: status === 'completed', now });
        for (const event of events) deliveries.queueOfRun(run, event, now);
      }),

    release: (owner) => void sql.release.run(owner),
    releaseAll: () => void sql.releaseAll.run(),
  };
}

const WAITING = `status = 'queued', owner = NULL, lease_until = NULL, written_at = NULL`;

const prepareAll = (connection: Connection) => ({
  runningByTeam: connection.prepare<{ teamId: string; count: number }>(
    `SELECT team_id AS teamId, count(*) AS count FROM runs
     WHERE kind = ? AND status IN ('queued', 'running') AND status = 'running' AND lease_until > ? GROUP BY team_id`,
  ),
  candidates: connection.prepare<Candidate>(
    `SELECT number, id, team_id AS teamId, cancel_asked_at IS NOT NULL AS isCancelled FROM runs
     WHERE kind = ? AND status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ?)
       AND (created_at >= ? OR cancel_asked_at IS NOT NULL) ORDER BY number LIMIT ?`,
  ),
  take: connection.prepare(
    `UPDATE runs SET status = 'running', owner = ?, lease_until = ?, written_at = ?, started_at = coalesce(started_at, ?),
       attempt = attempt + 1 WHERE number = ?`,
  ),
  nextLease: connection.prepare<{ at: number | null }>(
    `SELECT min(lease_until) AS at FROM runs WHERE kind = ? AND status IN ('queued', 'running') AND status = 'running'`,
  ),
  touch: connection.prepare(
    'UPDATE runs SET worked_ms = worked_ms + max(0, ? - coalesce(written_at, 0)), written_at = ? WHERE number = ? AND written_at IS NOT NULL',
  ),
  extend: connection.prepare('UPDATE runs SET lease_until = ? WHERE number = ?'),
  isCancelled: connection.prepare('SELECT 1 FROM runs WHERE number = ? AND cancel_asked_at IS NOT NULL'),
  beginStep: connection.prepare(
    `INSERT INTO run_steps (run, key, name, input, started_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run, key) DO NOTHING`,
  ),
  endStep: connection.prepare(
    'UPDATE run_steps SET output = ?, credits = ?, tokens = ?, finished_at = ? WHERE run = ? AND key = ? AND finished_at IS NULL',
  ),
  addCost: connection.prepare('UPDATE runs SET credits = credits + ?, tokens = tokens + ? WHERE number = ?'),
  end: connection.prepare(
    `UPDATE runs SET status = ?, result = ?, error = ?, stop_reason = ?, credits = ?, owner = NULL, lease_until = NULL,
       finished_at = ?, expires_at = ? WHERE number = ?`,
  ),
  removeSteps: connection.prepare('DELETE FROM run_steps WHERE run = ?'),
  // A run returned unfinished does not count as an attempt.
  release: connection.prepare(
    `UPDATE runs SET ${WAITING}, attempt = attempt - 1 WHERE status IN ('queued', 'running') AND status = 'running' AND owner = ?`,
  ),
  releaseAll: connection.prepare(
    `UPDATE runs SET ${WAITING} WHERE status IN ('queued', 'running') AND status = 'running'`,
  ),
});
