// Renews leases now and then, one renewal at a time. What cannot be renewed in time is stopped before its lease ends.
import type { Clock } from '../util/clock.ts';

export interface LeaseTimes {
  leaseMs: number;
  heartbeatMs: number;
}

/** For a single process: nobody waits for its leases to end. */
const ALONE: LeaseTimes = { leaseMs: 60_000, heartbeatMs: 15_000 };
/** The others take over the work of a process this long after it has died. */
const SHARED: LeaseTimes = { leaseMs: 20_000, heartbeatMs: 5_000 };
/** So much before a lease ends the work stops, if it could not be renewed: clocks differ a little. */
const MARGIN_MS = 2_000;

export const leaseTimes = (isShared: boolean): LeaseTimes => (isShared ? SHARED : ALONE);

/** Whether the work has to stop, because another process may begin it any moment. */
export const isRunningOut = (leaseUntil: number, now: number): boolean => now >= leaseUntil - MARGIN_MS;

interface HeartbeatsDeps {
  times: Pick<LeaseTimes, 'heartbeatMs'>;
  beat(): Promise<void>;
  onError(error: unknown): void;
  /** Called often while other processes may take over: a renewal may hang for as long as the network does. */
  stopUnrenewed?: () => void;
  clock: Clock;
}

export interface Heartbeats {
  /** Resolves after a renewal, which may be the one that is under way. */
  beatNow(): Promise<void>;
  stop(): void;
}

const LOOK_MS = 1_000;

export function startHeartbeats({ times, beat, onError, stopUnrenewed, clock }: HeartbeatsDeps): Heartbeats {
  const stopping = new AbortController();
  let beating: Promise<void> | undefined;

  const beatNow = (): Promise<void> => {
    beating ??= beat()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };

  const every = async (ms: number, work: () => unknown) => {
    for (;;) {
      await clock.sleep(ms, stopping.signal);
      work();
    }
  };
  every(times.heartbeatMs, beatNow).catch(ignoreStop);
  if (stopUnrenewed) every(LOOK_MS, stopUnrenewed).catch(ignoreStop);
  return { beatNow, stop: () => stopping.abort() };
}

/** The loops reject only if they are stopped. */
const ignoreStop = () => {};
