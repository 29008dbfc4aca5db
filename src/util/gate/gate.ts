// Slots of something scarce (threads, processes, pages of a browser), shared by team: the next slot goes to the team
// that holds the fewest. A gate measures how long its slots are held, and refuses what could not finish in time.
import type { Budget } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { createOverloadJudge, type OverloadJudge } from './overload.ts';
import { createServiceTimes, type ServiceTimes } from './service-times.ts';
import type { TeamQueue, WaitingEntry } from './team-queue.ts';
import { createTeams } from './teams.ts';

/** For whom work is done. It travels with the work to every gate on its way. */
export interface Asker {
  /** Teams get equal shares. */
  readonly team: string;
  /** When the result is of no more use. Absent: the work waits for its turn, however long that takes. */
  readonly deadline?: number;
  /** Set for pages of jobs: their time stands still while they wait. */
  readonly budget?: Pick<Budget, 'hold'>;
}

/** Work that the service does for itself has a share like that of a team. */
export const OWN_WORK: Asker = { team: '' };

export interface GateSlot {
  /** How long the work waited: 0 only if it did not have to. */
  readonly waitedMs: number;
  /** Gives the slot back. The time of work that failed counts only if it is longer than expected. */
  leave(outcome?: 'done' | 'failed'): void;
}

export interface Gate {
  /**
   * Waits for a slot. Rejects with the reason of `signal`, or with a refusal if the work could not finish by its
   * deadline. `kind` names work that takes about as long, for example that of one host.
   */
  enter(asker: Asker, kind: string, signal: AbortSignal): Promise<GateSlot>;
  readonly active: number;
  readonly waiting: number;
}

export interface GateOptions {
  size: number;
  clock: Clock;
  /**
   * The error of a refusal, which says when to try again. Absent where most of the work is already done: then nothing
   * is refused, and in overload the newest come first.
   */
  refusal?(retryAfterSeconds: number): Error;
  /** Additional slots for teams that hold none while others hold all: they do not wait for long work to end. */
  spare?: number;
  /** Limit for each team. Work without a deadline does not count. */
  maxWaiting?: number;
  /** By default, the gate measures for itself alone. */
  times?: ServiceTimes;
}

const MAX_WAITING = 2_000;

export function createGate(options: GateOptions): Gate {
  const { size, clock, refusal, spare = 0, maxWaiting = MAX_WAITING, times = createServiceTimes(clock) } = options;
  const judge = createOverloadJudge({ size, clock, times, mayRefuse: refusal !== undefined });
  const teams = createTeams();

  const canStart = (team: TeamQueue): boolean => judge.held.size < size + (team.active === 0 ? spare : 0);
  const refuse = () => refusal!(judge.retryAfter());

  function start(team: TeamQueue, kind: string, waitedMs: number): GateSlot {
    const since = clock.now();
    let isHeld = true;
    const link = judge.held.add({ kind, since });
    team.active += 1;
    return {
      waitedMs,
      leave(outcome = 'done') {
        if (!isHeld) return;
        isHeld = false;
        const ms = clock.now() - since;
        if (outcome === 'done' || ms > (times.expected(kind) ?? 0)) times.record(kind, ms);
        judge.held.remove(link);
        team.active -= 1;
        admitNext();
        teams.forgetIdle(team);
      },
    };
  }

  function admitNext(): void {
    for (let team = teams.next(); team && canStart(team); team = teams.next()) {
      const entry = team.next()!;
      if (refusal && judge.latestStart(entry) < clock.now()) entry.refuse();
      else entry.admit();
      judge.refuseHopeless(team, teams.size);
    }
  }

  function wait(team: TeamQueue, { deadline, budget }: Asker, kind: string, signal: AbortSignal): Promise<GateSlot> {
    const since = clock.now();
    const resume = budget?.hold();
    const settled = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<GateSlot>();
    const leaveQueue = () => {
      removeEntry();
      signal.removeEventListener('abort', giveUp);
      settled.abort();
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
      deadline,
      admit() {
        leaveQueue();
        teams.hadTurn(team);
        resolve(start(team, kind, Math.max(1, clock.now() - since)));
      },
      refuse() {
        leaveQueue();
        teams.forgetIdle(team);
        reject(refuse());
      },
    };
    const removeEntry = team.add(entry);
    teams.waits(team);
    signal.addEventListener('abort', giveUp, { once: true });
    if (refusal && deadline !== undefined) refuseInTime(judge, clock, entry, settled.signal).catch(() => {});
    judge.refuseHopeless(team, teams.size);
    return promise;
  }

  return {
    get active() {
      return judge.held.size;
    },
    get waiting() {
      return teams.waiting;
    },
    async enter(asker, kind, signal) {
      signal.throwIfAborted();
      if (refusal && judge.isTooLate(kind, asker.deadline)) throw refuse();
      const team = teams.of(asker.team);
      if (canStart(team)) return start(team, kind, 0);
      if (!refusal || asker.deadline === undefined || team.urgent.size < maxWaiting)
        return wait(team, asker, kind, signal);
      teams.forgetIdle(team);
      throw refuse();
    },
  };
}

/** Refuses the entry as soon as it is too late to start it. The estimate may change while it waits. */
async function refuseInTime(
  judge: OverloadJudge,
  clock: Clock,
  entry: WaitingEntry,
  settled: AbortSignal,
): Promise<void> {
  const leftMs = () => judge.latestStart(entry) - clock.now();
  for (let left = leftMs(); left > 0; left = leftMs()) await clock.sleep(left, settled);
  if (!settled.aborted) entry.refuse();
}
