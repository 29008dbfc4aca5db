// Queries of the embedded store, each in a process that reads the database file beside the service. Processes start on demand
// and end when they are idle.
import { queueFull, ServiceError } from '../../../contracts/errors/errors.ts';
import { createGate } from '../../../runtime/gate/gate.ts';
import type { Clock } from '../../../util/clock.ts';
import { lazy } from '../../../util/lazy.ts';
import type { TableQueries } from '../../ports/table-queries.ts';
import { type QueryProcess, startQueryProcess, type WrapCommand } from './query-process.ts';

export interface SqliteQueriesOptions {
  dataDir: string;
  /** Finds out how processes are confined on this machine. */
  confine(): Promise<WrapCommand>;
  /** Module that makes chunks. */
  chunker: URL;
  clock: Clock;
}

/** Queries at the same time, of all teams: each may take 256 MB. */
const PROCESSES = 4;
const IDLE_MS = 60_000;

export function createSqliteQueries({ dataDir, confine, chunker, clock }: SqliteQueriesOptions): TableQueries {
  const gate = createGate({ size: PROCESSES, clock, refusal: queueFull });
  const confined = lazy(confine);
  const closing = new AbortController();
  const all = new Set<QueryProcess>();
  const free = new Map<QueryProcess, NodeJS.Timeout>();

  const take = async (): Promise<QueryProcess> => {
    for (const [process, idle] of free) {
      clearTimeout(idle);
      free.delete(process);
      if (process.isAlive) return process;
      all.delete(process);
    }
    const started = startQueryProcess(await confined(), dataDir);
    all.add(started);
    return started;
  };
  const end = (process: QueryProcess) => {
    free.delete(process);
    all.delete(process);
    process.end();
  };
  const giveBack = (process: QueryProcess) => {
    if (closing.signal.aborted || !process.isAlive) end(process);
    else free.set(process, setTimeout(() => end(process), IDLE_MS).unref());
  };

  return {
    isEmbedded: true,
    async run(query, signal) {
      const aborted = AbortSignal.any([signal, closing.signal]);
      const asker = { team: query.teamId, deadline: clock.now() + query.timeMs };
      const slot = await gate.enter(asker, 'query', aborted);
      let process: QueryProcess | undefined;
      try {
        process = await take();
        const result = await process.run({ ...query, dataDir, chunker: chunker.href }, aborted);
        slot.leave();
        return result;
      } finally {
        slot.leave('failed');
        if (process) giveBack(process);
      }
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      for (const process of all) end(process);
    },
  };
}
