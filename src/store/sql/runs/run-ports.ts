// Creates the two ports of runs, and the remover that the sweeper calls for them.
import { assert } from '../../../util/assert.ts';
import type { NewRun, RunStatus, RunStore } from '../../ports/runs/run-store.ts';
import type { Charge, NewRequest } from '../../ports/teams/ledger.ts';
import { isReadable } from '../../rules/runs/run-record.ts';
import type { Awaitable, Database, Queries, Remover, Tx } from '../database.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createRunQueueRows, type RunQueueDeps, type RunQueueRows } from './run-queue-rows.ts';

/** What of the ledger belongs to a transaction of runs. */
export interface RunLedger {
  record(tx: Tx, charge: Charge): Awaitable<void>;
  list(tx: Tx, request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): Awaitable<void>;
}

interface RunPortsDeps extends RunQueueDeps {
  ledger: RunLedger;
  usedKeys: Pick<UsedKeys, 'has' | 'add'>;
  /** Removes rows of other tables that refer to a run, at most `limit`, and returns how many. */
  removeDependents(queries: Queries, run: number, limit: number): Awaitable<number>;
}

type Refusal = Exclude<Awaited<ReturnType<RunStore['add']>>, 'added'>;

/** Unfinished runs of a team are counted by one transaction at a time. */
export const lockRunCount = (tx: Tx, teamId: string) => tx.lock('unfinished runs', teamId);

export function createRunPorts(deps: RunPortsDeps): {
  runs: RunStore;
  runQueue: RunQueueRows;
  removeExpired: Remover;
} {
  const { database, rows, deliveries, ledger, usedKeys } = deps;

  const refusal = async (tx: Tx, run: NewRun): Promise<Refusal | undefined> => {
    const { teamId, kind, group, idempotencyKey, createdAt, maxUnfinished } = run;
    if (await usedKeys.has(tx, teamId, idempotencyKey, createdAt)) return 'key-used';
    const busy = group === undefined ? undefined : await rows.unfinishedOfGroup(tx, group);
    if (busy !== undefined) return { busy };
    if ((await rows.countUnfinished(tx, teamId, kind)) >= maxUnfinished) return 'queue-full';
    return (await usedKeys.add(tx, teamId, idempotencyKey, createdAt)) ? undefined : 'key-used';
  };

  return {
    runs: {
      async add(run) {
        const { id, teamId, kind, group, target, zeroDataRetention, createdAt: now } = run;
        const [packed, events] = await Promise.all([
          rows.pack(run),
          deliveries.packRunEvents({ teamId, events: run.webhook?.events.join(',') ?? '' }, run.events ?? []),
        ]);
        return database.transaction(async (tx) => {
          await lockRunCount(tx, teamId);
          if (group !== undefined) await tx.lock('runs of a group', group);
          const refused = await refusal(tx, run);
          if (refused !== undefined) return refused;
          const added = await rows.add(tx, run, packed);
          assert(added, 'Nobody else adds runs of the group meanwhile.');
          // Checks do not count as requests.
          if (kind !== 'check')
            await ledger.list(tx, { id, target, isRatable: !zeroDataRetention }, { teamId, operation: kind, now });
          await deliveries.queueOfRun(tx, added, events, now);
          return 'added';
        });
      },
      async view(id, teamId, now) {
        const run = await rows.view(database, id);
        return run?.teamId === teamId && isReadable(run, now) ? run : undefined;
      },
      list: (teamId, query, now) => rows.list(database, teamId, query, now),
      recent: (teamId, query, now) => rows.recent(database, teamId, query, now),
      steps: (id) => rows.steps(database, id),
      async cancel(id, teamId, now) {
        const run = await database.one<{ status: RunStatus }>`
          UPDATE runs SET cancel_asked_at =
            CASE WHEN status IN ('queued', 'running') THEN coalesce(cancel_asked_at, ${now}) ELSE cancel_asked_at END
          WHERE id = ${id} AND team_id = ${teamId} RETURNING status`;
        return run?.status;
      },
    },
    runQueue: createRunQueueRows(deps),
    async removeExpired(now, limit) {
      const expired = await database.one<{ number: number }>`
        SELECT number FROM runs WHERE status NOT IN ('queued', 'running') AND expires_at <= ${now}
        ORDER BY expires_at LIMIT 1`;
      return expired ? removeSome(database, expired.number, limit, deps.removeDependents) : 0;
    },
  };
}

/** Removes what refers to a run first, and the run itself last. */
async function removeSome(
  database: Database,
  run: number,
  limit: number,
  removeDependents: RunPortsDeps['removeDependents'],
): Promise<number> {
  const steps = [
    () => database.run`
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries WHERE run = ${run} AND status = 'waiting' LIMIT ${limit})`,
    // Deliveries stay in the log, without their content.
    () => database.run`
      UPDATE deliveries SET content = NULL WHERE id IN (
        SELECT id FROM deliveries WHERE run = ${run} AND content IS NOT NULL LIMIT ${limit})`,
    () => removeDependents(database, run, limit),
    () => database.run`
      DELETE FROM run_steps WHERE id IN (SELECT id FROM run_steps WHERE run = ${run} LIMIT ${limit})`,
    () => database.run`DELETE FROM runs WHERE number = ${run}`,
  ];
  for (const step of steps) {
    const removed = await step();
    if (removed > 0) return removed;
  }
  return 0;
}
