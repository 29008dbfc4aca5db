// Creates the two ports of runs, and the remover that the sweeper calls for them.
import { assert } from '../../../util/assert.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import { isReadable } from '../../records/runs/run-record.ts';
import type { RunQueue } from '../../run-queue.ts';
import type { NewRun, RunStatus, RunStore } from '../../run-store.ts';
import type { Remover } from '../../sql/database.ts';
import type { Database, Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createRunQueueRows } from './run-queue-rows.ts';
import type { RunRows } from './run-rows.ts';

export interface RunPortsDeps {
  database: Database;
  sealed: SealedRequests;
  rows: RunRows;
  deliveries: DeliveryQueue;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  usedKeys: Pick<UsedKeys, 'has' | 'add'>;
  /** Removes rows of other tables that refer to a run, at most `limit`, and returns how many. */
  removeDependents(sql: Sql, run: number, limit: number): Promise<number>;
}

type Refusal = Exclude<Awaited<ReturnType<RunStore['add']>>, 'added'>;

/** Unfinished runs of a team are counted by one transaction at a time. */
export const lockRunCount = (sql: Sql, teamId: string) => lockByName(sql, 'unfinished runs', teamId);

export function createRunPorts(deps: RunPortsDeps): {
  runs: RunStore;
  runQueue: RunQueue;
  removeExpired: Remover;
} {
  const { database, rows, deliveries, ledger, usedKeys } = deps;
  const { sql } = database;

  const refusal = async (inside: Sql, run: NewRun): Promise<Refusal | undefined> => {
    const { teamId, kind, group, idempotencyKey, createdAt, maxUnfinished } = run;
    if (await usedKeys.has(inside, teamId, idempotencyKey, createdAt)) return 'key-used';
    const busy = group === undefined ? undefined : await rows.unfinishedOfGroup(inside, group);
    if (busy !== undefined) return { busy };
    if ((await rows.countUnfinished(inside, teamId, kind)) >= maxUnfinished) return 'queue-full';
    return (await usedKeys.add(inside, teamId, idempotencyKey, createdAt)) ? undefined : 'key-used';
  };

  return {
    runs: {
      async add(run) {
        const { id, teamId, kind, group, target, zeroDataRetention, createdAt: now } = run;
        const [packed, events] = await Promise.all([
          rows.pack(run),
          deliveries.packRunEvents({ teamId, events: run.webhook?.events.join(',') ?? '' }, run.events ?? []),
        ]);
        return database.transaction(async (inside) => {
          await lockRunCount(inside, teamId);
          if (group !== undefined) await lockByName(inside, 'runs of a group', group);
          const refused = await refusal(inside, run);
          if (refused !== undefined) return refused;
          const added = await rows.add(inside, run, packed);
          assert(added, 'Nobody else adds runs of the group meanwhile.');
          // Checks are no requests.
          if (kind !== 'check')
            await ledger.list(inside, { id, target, isRatable: !zeroDataRetention }, { teamId, operation: kind, now });
          await deliveries.queueOfRun(inside, added, events, now);
          return 'added';
        });
      },
      async view(id, teamId, now) {
        const run = await rows.view(sql, id);
        return run?.teamId === teamId && isReadable(run, now) ? run : undefined;
      },
      list: (teamId, query, now) => rows.list(sql, teamId, query, now),
      recent: (teamId, query, now) => rows.recent(sql, teamId, query, now),
      steps: (id) => rows.steps(sql, id),
      async cancel(id, teamId, now) {
        const [run] = await sql<{ status: RunStatus }[]>`
          WITH found AS MATERIALIZED (SELECT number, status FROM runs WHERE id = ${id} AND team_id = ${teamId} FOR UPDATE),
          asked AS (
            UPDATE runs SET cancel_asked_at = coalesce(cancel_asked_at, ${now})
            FROM found WHERE runs.number = found.number AND found.status IN ('queued', 'running'))
          SELECT status FROM found`;
        return run?.status;
      },
    },
    runQueue: createRunQueueRows(deps),
    async removeExpired(now, limit) {
      const [expired] = await sql<{ number: number }[]>`
        SELECT number FROM runs WHERE status NOT IN ('queued', 'running') AND expires_at <= ${now}
        ORDER BY expires_at LIMIT 1`;
      return expired ? removeSome(sql, expired.number, limit, deps.removeDependents) : 0;
    },
  };
}

/** Removes what refers to a run first, and the run itself last. */
async function removeSome(
  sql: Sql,
  run: number,
  limit: number,
  removeDependents: RunPortsDeps['removeDependents'],
): Promise<number> {
  const steps = [
    async () =>
      (
        await sql`DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE run = ${run} AND status = 'waiting' LIMIT ${limit})`
      ).count,
    // What was delivered stays in the log, without what it said.
    async () =>
      (
        await sql`UPDATE deliveries SET content = NULL WHERE id IN (
          SELECT id FROM deliveries WHERE run = ${run} AND content IS NOT NULL LIMIT ${limit})`
      ).count,
    () => removeDependents(sql, run, limit),
    async () =>
      (await sql`DELETE FROM run_steps WHERE id IN (SELECT id FROM run_steps WHERE run = ${run} LIMIT ${limit})`).count,
    async () => (await sql`DELETE FROM runs WHERE number = ${run}`).count,
  ];
  for (const step of steps) {
    const removed = await step();
    if (removed > 0) return removed;
  }
  return 0;
}
