// Slots of something scarce (threads, processes, pages of a browser), shared by team: the next slot goes to the team
// that holds the fewest. A gate measures how long its slots are held, and refuses what could not finish in time.
import type { Deadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { createOverloadEstimate, type OverloadEstimate } from './overload.ts';
import { createServiceTimes, type ServiceTimes } from './service-times.ts';
import type { GateRefusal, TeamQueue, WaitingEntry } from './team-queue.ts';
import { createTeams } from './teams.ts';
import { waitInLine } from './wait-in-line.ts';

/** For whom work is done. It travels with the work to every gate on its way. */
export interface Asker {
  /** Teams get equal shares. */
  readonly team: string;
  /** When the result is of no more use. Absent: the work waits for its turn, however long that takes. */
  readonly deadline?: number;
  /** Set for pages of jobs: their time stands still while they wait. */
  readonly pausable?: Pick<Deadline, 'pause'>;
}

/** Work that the service does for itself has a share like that of a team. */
export const OWN_WORK: Asker = { team: '' };

export interface GateSlot {
  /** How long the work waited: 0 only if it did not have to. */
  readonly waitedMs: number;
  /** Gives the slot back. The time of work that failed counts only if it is longer than expected, that of no work never. */
  leave(outcome?: 'done' | 'failed' | 'unused'): void;
}

export interface Gate {
  /**
   * Waits for a slot. Rejects with the reason of `signal`, or with a refusal if the work could not finish by its
   * deadline. `kind` names work that takes about as long, for example that of one host.
   */
  enter(asker: Asker, kind: string, signal: AbortSignal): Promise<GateSlot>;
  /** A slot that is free now, if it is this asker's turn. */
  tryEnter(asker: Asker, kind: string): GateSlot | undefined;
  /** Applies to what waits as well. Slots that are held above the new size are not taken away. */
  resize(size: GateSize): void;
  readonly active: number;
  readonly waiting: number;
}

export interface GateSize {
  size: number;
  /** How many slots work without a deadline may hold; the others are left to callers who wait. By default all. */
  patientSize?: number;
  /** Limit for each team. Work without a deadline does not count. */
  maxWaiting?: number;
}

export interface GateOptions extends GateSize {
  clock: Clock;
  /**
   * The error of a refusal, which says when to try again. Absent where most of the work is already done: then nothing
   * is refused, and in overload the newest come first.
   */
  refusal?(retryAfterSeconds: number, why: GateRefusal): Error;
  /** Additional slots for teams that hold none while others hold all: they do not wait for long work to end. */
  spare?: number;
  /** The share of its time that work may wait, however soon it could be done then. */
  waitingShare?: number;
  /** By default, the gate measures for itself alone. */
  times?: ServiceTimes;
}

const MAX_WAITING = 2_000;

export function createGate(options: GateOptions): Gate {
  const { clock, refusal, spare = 0, times = createServiceTimes(clock), waitingShare } = options;
  let { size, patientSize = Number.POSITIVE_INFINITY, maxWaiting = MAX_WAITING }: GateSize = options;
  const overload = createOverloadEstimate({
    ...{ size: () => size, clock, times, mayRefuse: refusal !== undefined },
    ...(waitingShare !== undefined && { waitingShare }),
  });
  const teams = createTeams();
  let patient = 0;

  const canStart = (team: TeamQueue): boolean => overload.held.size < size + (team.active === 0 ? spare : 0);
  const mayBePatient = (): boolean => patient < patientSize;
  const refuse = (why: GateRefusal) => refusal!(overload.retryAfter(), why);

  function start(team: TeamQueue, kind: string, waitedMs: number, isPatient: boolean): GateSlot {
    const since = clock.now();
    let isHeld = true;
    const link = overload.held.add({ kind, since });
    team.active += 1;
    if (isPatient) patient += 1;
    return {
      waitedMs,
      leave(outcome = 'done') {
        if (!isHeld) return;
        isHeld = false;
        const ms = clock.now() - since;
        if (outcome === 'done' || (outcome === 'failed' && ms > (times.expected(kind) ?? 0))) times.record(kind, ms);
        overload.held.remove(link);
        team.active -= 1;
        if (isPatient) patient -= 1;
        admitNext();
        teams.forgetIdle(team);
      },
    };
  }

  function admitNext(): void {
    for (let team = teams.next(mayBePatient()); team && canStart(team); team = teams.next(mayBePatient())) {
      const entry = team.next(mayBePatient())!;
      if (refusal && overload.latestStart(entry) < clock.now()) entry.refuse('late');
      else entry.admit();
      overload.refuseHopeless(team, teams.size);
    }
  }

  function wait(team: TeamQueue, asker: Asker, kind: string, signal: AbortSignal): Promise<GateSlot> {
    const isPatient = asker.deadline === undefined;
    const { entry, turn, settled } = waitInLine<GateSlot>(
      { team, teams, clock, start: (waitedMs) => start(team, kind, waitedMs, isPatient), refuse },
      { asker, kind, signal },
    );
    if (refusal && !isPatient) refuseInTime(overload, clock, entry, settled).catch(() => {});
    overload.refuseHopeless(team, teams.size);
    return turn;
  }

  function startNow(team: TeamQueue, { deadline }: Asker, kind: string): GateSlot | undefined {
    const isPatient = deadline === undefined;
    return canStart(team) && (!isPatient || mayBePatient()) ? start(team, kind, 0, isPatient) : undefined;
  }

  return {
    get active() {
      return overload.held.size;
    },
    get waiting() {
      return teams.waiting;
    },
    async enter(asker, kind, signal) {
      signal.throwIfAborted();
      if (refusal && overload.isTooLate(kind, asker.deadline)) throw refuse('full');
      const team = teams.of(asker.team);
      const slot = startNow(team, asker, kind);
      if (slot) return slot;
      if (!refusal || asker.deadline === undefined || team.urgent.size < maxWaiting)
        return wait(team, asker, kind, signal);
      teams.forgetIdle(team);
      throw refuse('full');
    },
    tryEnter(asker, kind) {
      const team = teams.of(asker.team);
      const slot = team.waiting === 0 ? startNow(team, asker, kind) : undefined;
      teams.forgetIdle(team);
      return slot;
    },
    resize(given) {
      ({ size, patientSize = Number.POSITIVE_INFINITY, maxWaiting = MAX_WAITING } = given);
      admitNext();
    },
  };
}

/** Refuses the entry as soon as it is too late to start it. The estimate may change while it waits. */
async function refuseInTime(
  overload: OverloadEstimate,
  clock: Clock,
  entry: WaitingEntry,
  settled: AbortSignal,
): Promise<void> {
  const leftMs = () => overload.latestStart(entry) - clock.now();
  for (let left = leftMs(); left > 0; left = leftMs()) await clock.sleep(left, settled);
  if (!settled.aborted) entry.refuse('late');
}
