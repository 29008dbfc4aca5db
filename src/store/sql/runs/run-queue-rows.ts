// Claims of runs, their steps and their ends, each in one transaction with everything that follows from it.

import type { RunQueue } from '../../ports/runs/run-queue.ts';
import type { RunEvent } from '../../ports/runs/run-store.ts';
import type { Charge } from '../../ports/teams/ledger.ts';
import {
  CANDIDATES,
  type ClaimableRun,
  chooseRuns,
  keepMsOf,
  OPERATION,
  type Run,
  type RunViewRow,
} from '../../rules/runs/run-record.ts';
import { type Awaitable, type BooleanColumn, type Database, sql, type Tx } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { Sealer } from '../sealer.ts';
import { RUN_COLUMNS, type RunRows, VIEW_COLUMNS } from './run-rows.ts';

export interface RunQueueRows extends RunQueue {
  /** For the start of the only process: all earlier owners are dead. */
  releaseAll(): Promise<void>;
}

export interface RunQueueDeps {
  database: Database;
  rows: RunRows;
  sealed: Sealer;
  deliveries: Pick<DeliveryQueue, 'packRunEvents' | 'queueOfRun'>;
  ledger: { record(tx: Tx, charge: Charge): Awaitable<void> };
}

export function createRunQueueRows({ database, rows, sealed, deliveries, ledger }: RunQueueDeps): RunQueueRows {
  /** Large values are sealed before the transaction. The team and the events of a run never change. */
  const pack = async (id: string, part: unknown, events: readonly RunEvent[] = []) => {
    const run = await rows.find(database, id);
    if (!run) return undefined;
    const [text, packed] = await Promise.all([
      part === undefined ? null : sealed.seal(part, run.teamId),
      deliveries.packRunEvents(run, events),
    ]);
    return { text, events: packed };
  };

  /** Does `work` with the run in a transaction; false if the owner has lost it. */
  const withOwn = (owner: string, id: string, now: number, work: (tx: Tx, run: Run) => Awaitable<unknown>) =>
    database.transaction(async (tx) => {
      const run = await tx.one<Run>`
        UPDATE runs SET ${touched(now)} WHERE id = ${id} AND status = 'running' AND owner = ${owner}
        RETURNING ${RUN_COLUMNS}`;
      if (run) await work(tx, run);
      return run !== undefined;
    });

  return {
    async claim(request) {
      const { taken, nextAt } = await database.transaction((tx) => claim(tx, request));
      return { runs: await Promise.all(taken.map(rows.toView)), ...(nextAt !== null && { nextAt }) };
    },

    async extend(owner, ids, leaseUntil, now) {
      const held = await database.rows<{ id: string; isCancelled: BooleanColumn }>`
        UPDATE runs SET lease_until = ${leaseUntil}, ${touched(now)}
        WHERE id = ANY(${ids}::text[]) AND status = 'running' AND owner = ${owner}
        RETURNING id, cancel_asked_at IS NOT NULL AS "isCancelled"`;
      const own = new Map(held.map(({ id, isCancelled }) => [id, isCancelled]));
      return { lost: ids.filter((id) => !own.has(id)), cancelled: ids.filter((id) => own.get(id)) };
    },

    async beginStep(owner, id, { key, name, input }, now) {
      const packed = await pack(id, input ?? null);
      if (!packed) return false;
      return withOwn(
        ...([owner, id, now] as const),
        (tx, run) => tx.run`
          INSERT INTO run_steps (run, key, name, input, started_at) VALUES (${run.number}, ${key}, ${name}, ${packed.text}, ${now})
          ON CONFLICT (run, key) DO NOTHING`,
      );
    },

    async endStep(owner, id, { key, output, credits, tokens, events }, now) {
      const packed = await pack(id, output ?? null, events);
      if (!packed) return false;
      return withOwn(owner, id, now, async (tx, run) => {
        const ended = await tx.run`
          UPDATE run_steps SET output = ${packed.text}, credits = ${credits}, tokens = ${tokens}, finished_at = ${now}
          WHERE run = ${run.number} AND key = ${key} AND finished_at IS NULL`;
        // A call is made again if nobody knows whether it arrived.
        if (ended === 0) return;
        await tx.run`UPDATE runs SET credits = credits + ${credits}, tokens = tokens + ${tokens} WHERE number = ${run.number}`;
        await deliveries.queueOfRun(tx, run, packed.events, now);
      });
    },

    async end(owner, id, { status, result, error, stopReason, credits, events }, now) {
      const packed = await pack(id, result, events);
      if (!packed) return false;
      return withOwn(owner, id, now, async (tx, run) => {
        const { number, teamId, key, kind, zeroDataRetention } = run;
        await tx.run`
          UPDATE runs SET status = ${status}, result = ${packed.text}, error = ${error ?? null}, stop_reason = ${stopReason ?? null},
            credits = ${credits}, owner = NULL, lease_until = NULL, finished_at = ${now}, expires_at = ${now + keepMsOf(run)}
          WHERE number = ${number}`;
        // What these have found is in their pages, and there are thousands of them.
        if (zeroDataRetention || kind === 'check' || kind === 'collection')
          await tx.run`DELETE FROM run_steps WHERE run = ${number}`;
        const account = { teamId, ...(key !== null && { key }), ...(!zeroDataRetention && { job: id }) };
        const succeeded = status === 'completed';
        await ledger.record(tx, { ...account, operation: OPERATION[kind], credits, succeeded, now });
        await deliveries.queueOfRun(tx, run, packed.events, now);
      });
    },

    // A run returned unfinished does not count as an attempt.
    async release(owner) {
      await database.run`UPDATE runs SET ${WAITING}, attempt = attempt - 1 WHERE ${RUNNING} AND owner = ${owner}`;
    },
    async releaseAll() {
      await database.run`UPDATE runs SET ${WAITING} WHERE ${RUNNING}`;
    },
  };
}

/** As the index of unfinished runs says it. */
const RUNNING = sql`status IN ('queued', 'running') AND status = 'running'`;
const WAITING = sql`status = 'queued', owner = NULL, lease_until = NULL, written_at = NULL`;

/** Counts the time since the last write as time of work, as every write to a running run does. */
const touched = (now: number) => sql`
  worked_ms = worked_ms + greatest(0, ${now}::bigint - coalesce(written_at, ${now})), written_at = ${now}`;

async function claim(tx: Tx, request: Parameters<RunQueue['claim']>[0]) {
  const { owner, kind, slots, teamSlots, since = 0, now, leaseUntil } = request;
  // One process chooses at a time, so that the shares of teams are counted exactly.
  const [, running, candidates] = await Promise.all([
    tx.lock('claims of runs', kind),
    tx.rows<{ teamId: string; count: number }>`
      SELECT team_id AS "teamId", count(*) AS count FROM runs
      WHERE kind = ${kind} AND ${RUNNING} AND lease_until > ${now} GROUP BY team_id`,
    tx.rows<ClaimableRun>`
      SELECT number, id, team_id AS "teamId", cancel_asked_at IS NOT NULL AS "isCancelled" FROM runs
      WHERE kind = ${kind} AND status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ${now})
        AND (created_at >= ${since} OR cancel_asked_at IS NOT NULL) ORDER BY number LIMIT ${CANDIDATES}`,
  ]);
  const chosen = chooseRuns(candidates, running, { slots, teamSlots }).map(({ number }) => number);
  // Its owner may have extended a lease meanwhile.
  const [taken, next] = await Promise.all([
    tx.rows<RunViewRow>`
      UPDATE runs SET status = 'running', owner = ${owner}, lease_until = ${leaseUntil}, written_at = ${now},
        started_at = coalesce(started_at, ${now}), attempt = attempt + 1
      WHERE number = ANY(${chosen}::bigint[]) AND (status = 'queued' OR (status = 'running' AND lease_until <= ${now}))
      RETURNING ${VIEW_COLUMNS}`,
    tx.one<{ at: number | null }>`SELECT min(lease_until) AS at FROM runs WHERE kind = ${kind} AND ${RUNNING}`,
  ]);
  const place = new Map(chosen.map((number, index) => [number, index]));
  return { taken: taken.sort((a, b) => place.get(a.number)! - place.get(b.number)!), nextAt: next!.at };
}
