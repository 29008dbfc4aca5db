// Creates the two ports of runs on one connection, and the remover that the sweeper calls for them.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import { isReadable } from '../../records/runs/run-record.ts';
import type { NewRun, RunStore } from '../../run-store.ts';
import type { Remover } from '../../sql/database.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { Served } from '../served.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createRecentRuns } from './recent-runs.ts';
import { createRunQueueRows, type RunQueueRows } from './run-queue-rows.ts';
import { createRunRows, type RunRows } from './run-rows.ts';

export interface RunPorts {
  rows: RunRows;
  runs: Served<RunStore>;
  runQueue: RunQueueRows;
  removeExpired: Remover;
}

export interface RunPortsDeps {
  connection: Connection;
  sealed: SealedRequests;
  deliveries: DeliveryRows;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  usedKeys: UsedKeys;
  /** Removes rows of other tables that refer to a run, at most `limit`, and returns how many. */
  removeDependents(run: number, limit: number): number;
}

export function createRunPorts(deps: RunPortsDeps): RunPorts {
  const { connection, sealed, deliveries, ledger, usedKeys } = deps;
  const rows = createRunRows(connection, sealed);
  const sql = prepareAll(connection);

  const refusal = (run: NewRun): Exclude<Awaited<ReturnType<RunStore['add']>>, 'added'> | undefined => {
    const { teamId, kind, group, idempotencyKey, createdAt, maxUnfinished } = run;
    if (usedKeys.has(teamId, idempotencyKey, createdAt)) return 'key-used';
    const busy = group === undefined ? undefined : rows.unfinishedOfGroup(group);
    if (busy !== undefined) return { busy };
    return rows.countUnfinished(teamId, kind) >= maxUnfinished ? 'queue-full' : undefined;
  };

  /** Removes what refers to a run first, and the run itself last. */
  const removeSome = (run: number, limit: number): number => {
    const steps = [
      () => sql.removeDeliveries.run(run, limit).changes,
      () => sql.forgetContents.run(run, limit).changes,
      () => deps.removeDependents(run, limit),
      () => sql.removeSteps.run(run, limit).changes,
      () => sql.remove.run(run).changes,
    ];
    for (const step of steps) {
      const removed = Number(step());
      if (removed > 0) return removed;
    }
    return 0;
  };

  return {
    rows,
    runs: {
      add: (run) =>
        connection.transaction(() => {
          const refused = refusal(run);
          if (refused !== undefined) return refused;
          const { id, teamId, kind, target, zeroDataRetention, idempotencyKey, createdAt: now } = run;
          usedKeys.add(teamId, idempotencyKey, now);
          const added = rows.add(run);
          // Checks are no requests.
          if (kind !== 'check')
            ledger.list({ id, target, isRatable: !zeroDataRetention }, { teamId, operation: kind, now });
          for (const event of run.events ?? []) deliveries.queueOfRun(added, event, now);
          return 'added';
        }),
      view(id, teamId, now) {
        const run = rows.view(id);
        return run?.teamId === teamId && isReadable(run, now) ? run : undefined;
      },
      list: rows.list,
      recent: createRecentRuns(connection, sealed),
      steps: rows.steps,
      cancel(id, teamId, now) {
        const run = rows.find(id);
        if (run?.teamId !== teamId) return undefined;
        sql.askToCancel.run(now, run.number);
        return run.status;
      },
    },
    runQueue: createRunQueueRows({ connection, rows, sealed, deliveries, ledger }),
    removeExpired(now, limit) {
      const expired = sql.expired.get(now);
      return expired ? connection.transaction(() => removeSome(expired.number, limit)) : 0;
    },
  };
}

const prepareAll = (connection: Connection) => ({
  askToCancel: connection.prepare(
    `UPDATE runs SET cancel_asked_at = coalesce(cancel_asked_at, ?) WHERE number = ? AND status IN ('queued', 'running')`,
  ),
  expired: connection.prepare<{ number: number }>(
    `SELECT number FROM runs WHERE status NOT IN ('queued', 'running') AND expires_at <= ? ORDER BY expires_at LIMIT 1`,
  ),
  removeDeliveries: connection.prepare(
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE run = ? AND status = 'waiting' LIMIT ?)`,
  ),
  // What was delivered stays in the log, without what it said.
  forgetContents: connection.prepare(
    `UPDATE deliveries SET content = NULL
     WHERE id IN (SELECT id FROM deliveries WHERE run = ? AND content IS NOT NULL LIMIT ?)`,
  ),
  removeSteps: connection.prepare('DELETE FROM run_steps WHERE id IN (SELECT id FROM run_steps WHERE run = ? LIMIT ?)'),
  remove: connection.prepare('DELETE FROM runs WHERE number = ?'),
});
