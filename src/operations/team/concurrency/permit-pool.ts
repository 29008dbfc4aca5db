// The permits of this process to run work of teams whose limit holds over all processes. They are asked for when work comes,
// shared again every moment while others may want them, and given back when nothing is left to do.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { TeamPermits } from '../../../store/ports/limits/team-permits.ts';
import { raceAbort } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import { createPermitLine, type PermitLine } from './permit-line.ts';

export interface PermitPool {
  /** Waits for a permit. Requests, for which somebody waits, come before pages of jobs. */
  acquire(team: LimitedTeam, isUrgent: boolean, signal: AbortSignal): Promise<GiveBack>;
  /** Those that can be had now, at most `wanted`. */
  take(team: LimitedTeam, wanted: number): Promise<GiveBack[]>;
}

export interface LimitedTeam {
  id: string;
  /** What all processes together may run at once. */
  limit: number;
}

/** Gives a permit back. Does nothing the second time. */
export type GiveBack = () => void;

interface Deps {
  permits: TeamPermits;
  /** As it is known to the others. */
  processId: string;
  clock: Clock;
}

const EVERY_MS = 250;
/** The service ends. Everything else that may fail is tried again. */
const isClosedStore = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';

export function createPermitPool({ permits, processId, clock }: Deps): PermitPool {
  const lines = new Map<string, PermitLine>();
  // Limits may change while something runs.
  const limits = new Map<string, number>();

  const lineOf = ({ id: teamId, limit }: LimitedTeam): PermitLine => {
    limits.set(teamId, limit);
    const known = lines.get(teamId);
    if (known) return known;
    const line = createPermitLine((wanted, running) =>
      permits.ask({ teamId, processId, limit: limits.get(teamId) ?? limit, wanted, running }, clock.now()),
    );
    lines.set(teamId, line);
    void watch(teamId, line);
    return line;
  };

  async function watch(teamId: string, line: PermitLine): Promise<void> {
    let isClosed = false;
    do {
      await clock.sleep(EVERY_MS);
      await line.ask().catch((error: unknown) => {
        isClosed = isClosedStore(error);
      });
    } while (!line.isIdle && !isClosed);
    lines.delete(teamId);
    limits.delete(teamId);
  }

  const giveBack = (line: PermitLine): GiveBack => {
    let isHeld = true;
    return () => {
      if (isHeld && line.end()) line.ask().catch(() => {});
      isHeld = false;
    };
  };

  return {
    async acquire(team, isUrgent, signal) {
      const line = lineOf(team);
      if (line.tryStart()) return giveBack(line);
      const { turn, giveUp } = line.wait(isUrgent);
      line.ask().catch(() => {});
      try {
        await raceAbort(turn, signal);
      } catch (error) {
        // It may have been admitted at the same moment.
        if (!giveUp()) turn.then(giveBack(line), () => {});
        throw error;
      }
      return giveBack(line);
    },
    async take(team, wanted) {
      const line = lineOf(team);
      const taken: GiveBack[] = [];
      const start = () => {
        while (taken.length < wanted && line.tryStart()) taken.push(giveBack(line));
      };
      start();
      if (taken.length === wanted) return taken;
      const unwant = line.want(wanted - taken.length);
      try {
        await line.ask();
        start();
        return taken;
      } catch (error) {
        for (const end of taken) end();
        throw error;
      } finally {
        unwant();
      }
    },
  };
}
