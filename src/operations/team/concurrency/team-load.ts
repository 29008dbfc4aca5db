// How busy a team is: in this process, or in all that share a store. Each process writes what it runs, so that any of them
// can add it up with one query.

import type { TeamLoads, WorkLoad } from '../../../store/ports/limits/team-loads.ts';
import type { Team } from '../../../store/ports/teams/team-store.ts';
import type { Clock } from '../../../util/clock.ts';
import type { Concurrency } from './concurrency.ts';

/** What runs and waits, and how much may run at once. */
export type ReadLoad = (team: Team) => Promise<WorkLoad & { max: number }>;

export interface SharedLoad {
  read: ReadLoad;
  /** Tells the others what this process runs, until `stop`. */
  start(): void;
  stop(): void;
}

interface Deps {
  concurrency: Pick<Concurrency, 'load' | 'loads' | 'max'>;
  loads: TeamLoads;
  /** As it is known to the others. */
  processId: string;
  clock: Clock;
}

/** How old the figures of other processes may be. */
const EVERY_MS = 500;
/** What was written may be lost: with a crash of the database, or because the others took this process for dead. */
const REPEAT_MS = 5_000;

/** For a process that has its store to itself. */
export const readOwnLoad =
  (concurrency: Pick<Concurrency, 'load' | 'max'>): ReadLoad =>
  async (team) => ({ ...concurrency.load(team.id), max: concurrency.max(team) });

export function createSharedLoad({ concurrency, loads, processId, clock }: Deps): SharedLoad {
  const stopping = new AbortController();
  let written = '[]';
  let writtenAt = 0;

  const write = async () => {
    const current = concurrency.loads();
    const text = JSON.stringify(current);
    const mayBeLost = current.length > 0 && clock.now() - writtenAt >= REPEAT_MS;
    if (text === written && !mayBeLost) return;
    await loads.write(processId, current);
    written = text;
    writtenAt = clock.now();
  };
  const writeOften = async () => {
    for (;;) {
      await clock.sleep(EVERY_MS, stopping.signal);
      // The store has told the log. The next round tries again.
      await write().catch(() => {});
    }
  };

  return {
    async read(team) {
      const others = await loads.ofOthers(team.id, processId, clock.now());
      const own = concurrency.load(team.id);
      return {
        active: own.active + others.active,
        waiting: own.waiting + others.waiting,
        max: concurrency.max(team, others.maxConcurrency),
      };
    },
    // The sleep rejects with `stop`.
    start: () => void writeOften().catch(() => {}),
    stop: () => stopping.abort(),
  };
}
