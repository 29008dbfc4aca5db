// Work that waits at a gate for its turn: it ends by being admitted, refused or given up.
import type { Deadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { GateRefusal, TeamQueue, WaitingEntry } from './team-queue.ts';
import type { Teams } from './teams.ts';

/** Without a reason of its own, each signal would make an error with a stack, which nobody sees. */
const SETTLED = 'The entry has left the queue.';

/** An asker, see gate.ts. */
interface Work {
  deadline?: number;
  pausable?: Pick<Deadline, 'pause'>;
}

interface Line<Slot> {
  team: TeamQueue;
  teams: Teams;
  clock: Pick<Clock, 'now'>;
  start(waitedMs: number): Slot;
  refuse(why: GateRefusal): Error;
}

interface Waiting<Slot> {
  entry: WaitingEntry;
  turn: Promise<Slot>;
  /** Aborts when the entry has left the queue. */
  settled: AbortSignal;
}

export function waitInLine<Slot>(
  { team, teams, clock, start, refuse }: Line<Slot>,
  { asker, kind, signal }: { asker: Work; kind: string; signal: AbortSignal },
): Waiting<Slot> {
  const since = clock.now();
  const resume = asker.pausable?.pause();
  const settled = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<Slot>();
  const leaveQueue = () => {
    removeEntry();
    signal.removeEventListener('abort', giveUp);
    settled.abort(SETTLED);
    resume?.();
  };
  const giveUp = () => {
    leaveQueue();
    teams.forgetIdle(team);
    reject(signal.reason);
  };
  const entry: WaitingEntry = {
    kind,
    since,
    deadline: asker.deadline,
    admit() {
      leaveQueue();
      teams.hadTurn(team);
      resolve(start(Math.max(1, clock.now() - since)));
    },
    refuse(why) {
      leaveQueue();
      teams.forgetIdle(team);
      reject(refuse(why));
    },
  };
  const removeEntry = team.add(entry);
  teams.waits(team);
  signal.addEventListener('abort', giveUp, { once: true });
  return { entry, turn: promise, settled: settled.signal };
}
