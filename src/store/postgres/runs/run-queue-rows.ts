// Claims of runs, their steps and their ends, each in one transaction with everything that follows from it.
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import {
  CANDIDATES,
  type Candidate,
  chooseRuns,
  keepMsOf,
  OPERATION,
  type Run,
  type RunViewRow,
} from '../../records/runs/run-record.ts';
import type { RunQueue } from '../../run-queue.ts';
import type { RunEvent } from '../../run-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { DeliveryQueue, PackedEvent } from '../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import { type RunRows, runColumns, viewColumns } from './run-rows.ts';

interface RunQueueDeps {
  database: Database;
  rows: RunRows;
  sealed: SealedRequests;
  deliveries: Pick<DeliveryQueue, 'packRunEvents' | 'queueOfRun'>;
  ledger: Pick<LedgerRows, 'record'>;
}

export function createRunQueueRows({ database, rows, sealed, deliveries, ledger }: RunQueueDeps): RunQueue {
  const { sql } = database;

  /** What is large is sealed before the transaction. The team and the events of a run never change. */
  const pack = async (id: string, part: unknown, events: readonly RunEvent[] = []) => {
    const run = await rows.find(sql, id);
    if (!run) return undefined;
    const [text, packed] = await Promise.all([
      part === undefined ? null : sealed.sealLarge(part, run.teamId),
      deliveries.packRunEvents(run, events),
    ]);
    return { text, events: packed };
  };

  /** Does `work` with the run in a transaction; false if the owner has lost it. */
  const withOwn = (owner: string, id: string, now: number, work: (sql: Sql, run: Run) => Promise<unknown>) =>
    database.transaction(async (inside) => {
      const [run] = await inside<Run[]>`
        UPDATE runs SET ${touched(inside, now)} WHERE id = ${id} AND status = 'running' AND owner = ${owner}
        RETURNING ${runColumns(inside)}`;
      if (run) await work(inside, run);
      return run !== undefined;
    });

  const queueEvents = (inside: Sql, run: Run, events: readonly PackedEvent[], now: number) =>
    deliveries.queueOfRun(inside, run, events, now);

  return {
    async claim(request) {
      const { taken, nextAt } = await database.transaction((inside) => claim(inside, request));
      return { runs: await Promise.all(taken.map(rows.toView)), ...(nextAt !== null && { nextAt }) };
    },

    extend: (owner, ids, leaseUntil, now) =>
      database.transaction(async (inside) => {
        const held = await inside<{ id: string; isCancelled: boolean }[]>`
          UPDATE runs SET lease_until = ${leaseUntil}, ${touched(inside, now)}
          WHERE id = ANY(${ids}) AND status = 'running' AND owner = ${owner}
          RETURNING id, cancel_asked_at IS NOT NULL AS "isCancelled"`;
        const own = new Map(held.map(({ id, isCancelled }) => [id, isCancelled]));
        return { lost: ids.filter((id) => !own.has(id)), cancelled: ids.filter((id) => own.get(id)) };
      }),

    async beginStep(owner, id, { key, name, input }, now) {
      const packed = await pack(id, input ?? null);
      if (!packed) return false;
      return withOwn(
        ...([owner, id, now] as const),
        (inside, run) => inside`
          INSERT INTO run_steps (run, key, name, input, started_at) VALUES (${run.number}, ${key}, ${name}, ${packed.text}, ${now})
          ON CONFLICT (run, key) DO NOTHING`,
      );
    },

    async endStep(owner, id, { key, output, credits, tokens, events }, now) {
      const packed = await pack(id, output ?? null, events);
      if (!packed) return false;
      return withOwn(owner, id, now, async (inside, run) => {
        const ended = await inside`
          UPDATE run_steps SET output = ${packed.text}, credits = ${credits}, tokens = ${tokens}, finished_at = ${now}
          WHERE run = ${run.number} AND key = ${key} AND finished_at IS NULL`;
        // A call is made again if nobody knows whether it arrived.
        if (ended.count === 0) return;
        await inside`UPDATE runs SET credits = credits + ${credits}, tokens = tokens + ${tokens} WHERE number = ${run.number}`;
        await queueEvents(inside, run, packed.events, now);
      });
    },

    async end(owner, id, { status, result, error, stopReason, credits, events }, now) {
      const packed = await pack(id, result, events);
      if (!packed) return false;
      return withOwn(owner, id, now, async (inside, run) => {
        const { number, teamId, key, kind, zeroDataRetention } = run;
        await inside`
          UPDATE runs SET status = ${status}, result = ${packed.text}, error = ${error ?? null}, stop_reason = ${stopReason ?? null},
            credits = ${credits}, owner = NULL, lease_until = NULL, finished_at = ${now}, expires_at = ${now + keepMsOf(run)}
          WHERE number = ${number}`;
        // What a check has found is in its pages, and a monitor has thousands of checks.
        if (zeroDataRetention || kind === 'check') await inside`DELETE FROM run_steps WHERE run = ${number}`;
        const account = { teamId, ...(key !== null && { key }), ...(!zeroDataRetention && { job: id }) };
        const succeeded = status === 'completed';
        await ledger.record(inside, { ...account, operation: OPERATION[kind], credits, succeeded, now });
        await queueEvents(inside, run, packed.events, now);
      });
    },

    // A run returned unfinished does not count as an attempt.
    release: async (owner) =>
      void (await sql`
        UPDATE runs SET status = 'queued', owner = NULL, lease_until = NULL, written_at = NULL, attempt = attempt - 1
        WHERE status IN ('queued', 'running') AND status = 'running' AND owner = ${owner}`),
  };
}

/** Counts the time since the last write as time of work, as every write to a running run does. */
const touched = (sql: Sql, now: number) => sql`
  worked_ms = worked_ms + greatest(0, ${now}::bigint - coalesce(written_at, ${now})), written_at = ${now}`;

async function claim(sql: Sql, request: Parameters<RunQueue['claim']>[0]) {
  const { owner, kind, slots, teamSlots, since = 0, now, leaseUntil } = request;
  const unfinished = sql`kind = ${kind} AND status IN ('queued', 'running')`;
  // One process chooses at a time, so that the shares of teams are counted exactly.
  const [, running, candidates] = await Promise.all([
    lockByName(sql, 'claims of runs', kind),
    sql<{ teamId: string; count: number }[]>`
      SELECT team_id AS "teamId", count(*) FROM runs
      WHERE ${unfinished} AND status = 'running' AND lease_until > ${now} GROUP BY team_id`,
    sql<Candidate[]>`
      SELECT number, id, team_id AS "teamId", cancel_asked_at IS NOT NULL AS "isCancelled" FROM runs
      WHERE ${unfinished} AND (status = 'queued' OR lease_until <= ${now})
        AND (created_at >= ${since} OR cancel_asked_at IS NOT NULL) ORDER BY number LIMIT ${CANDIDATES}`,
  ]);
  const chosen = chooseRuns(candidates, running, { slots, teamSlots }).map(({ number }) => number);
  // Its owner may have extended a lease meanwhile.
  const [taken, [next]] = await Promise.all([
    sql<RunViewRow[]>`
      UPDATE runs SET status = 'running', owner = ${owner}, lease_until = ${leaseUntil}, written_at = ${now},
        started_at = coalesce(started_at, ${now}), attempt = attempt + 1
      WHERE number = ANY(${chosen}) AND (status = 'queued' OR (status = 'running' AND lease_until <= ${now}))
      RETURNING ${viewColumns(sql)}`,
    sql<{ at: number | null }[]>`SELECT min(lease_until) AS at FROM runs WHERE ${unfinished} AND status = 'running'`,
  ]);
  const place = new Map(chosen.map((number, index) => [number, index]));
  return { taken: taken.sort((a, b) => place.get(a.number)! - place.get(b.number)!), nextAt: next!.at };
}
