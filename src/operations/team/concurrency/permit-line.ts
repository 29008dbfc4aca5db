// The permits of this process for one team, and those who wait for one: requests first, then pages of jobs.
import type { Permits } from '../../../store/ports/limits/team-permits.ts';

export interface PermitLine {
  /** What runs, and what could run. */
  readonly wanted: number;
  /** Nothing runs or waits, and no permits are left to give back. */
  readonly isIdle: boolean;
  /** Requests `more` permits beyond the current waiters. Call the returned function to withdraw the request. */
  want(more: number): () => void;
  tryStart(): boolean;
  wait(isUrgent: boolean): { turn: Promise<void>; giveUp(): boolean };
  /** One that runs has ended. True if somebody else should get its permit. */
  end(): boolean;
  /** Asks for what is wanted. Calls that come before one has begun are one. Rejects if that fails, also for all who wait. */
  ask(): Promise<void>;
}

/** `running` will not grow before the answer is there. */
type Ask = (wanted: number, running: number) => Promise<Permits>;

export function createPermitLine(askFor: Ask): PermitLine {
  const urgent = new Set<PromiseWithResolvers<void>>();
  const patient = new Set<PromiseWithResolvers<void>>();
  let permits: Permits = { granted: 0, allowed: 0 };
  let running = 0;
  let extra = 0;
  let asking: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const wanted = () => running + urgent.size + patient.size + extra;
  const tryStart = (): boolean => {
    if (running >= permits.allowed) return false;
    running += 1;
    return true;
  };
  const admit = () => {
    for (const queue of [urgent, patient]) {
      for (const waiter of queue) {
        if (!tryStart()) return;
        queue.delete(waiter);
        waiter.resolve();
      }
    }
  };
  const refuseAll = (error: unknown) => {
    for (const queue of [urgent, patient]) {
      for (const waiter of queue) waiter.reject(error);
      queue.clear();
    }
  };
  const request = async () => {
    // The store decides by what runs now, so nothing more may start before it has answered.
    permits = { ...permits, allowed: Math.min(permits.allowed, running) };
    try {
      permits = await askFor(wanted(), running);
    } catch (error) {
      // Others may have got these permits by now.
      permits = { ...permits, allowed: 0 };
      refuseAll(error);
      throw error;
    }
    admit();
  };
  const begin = () => {
    next = undefined;
    asking = request().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    get wanted() {
      return wanted();
    },
    get isIdle() {
      return wanted() + permits.granted === 0 && !asking && !next;
    },
    want(more) {
      extra += more;
      return () => {
        extra -= more;
      };
    },
    tryStart: () => urgent.size + patient.size === 0 && tryStart(),
    wait(isUrgent) {
      const queue = isUrgent ? urgent : patient;
      const waiter = Promise.withResolvers<void>();
      queue.add(waiter);
      return { turn: waiter.promise, giveUp: () => queue.delete(waiter) };
    },
    end() {
      running -= 1;
      admit();
      return permits.allowed < permits.granted && running < permits.granted;
    },
    ask() {
      if (!asking) return begin();
      next ??= asking.then(begin, begin);
      return next;
    },
  };
}
