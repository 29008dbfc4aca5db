// Waiting for a place at a host. Politeness says how many there are; crawls take from the same ones.
import type { Clock } from '../../util/clock.ts';
import type { Answer, Politeness } from './politeness.ts';

/** Gives the place back, with how the host took the request. */
export type Leave = (answer: Answer) => void;

export interface HostPlaces {
  /** Rejects with the reason of `signal`. */
  enter(host: string, signal: AbortSignal): Promise<Leave>;
}

/** Nobody tells when a place of somebody else becomes free. */
const LOOK_AGAIN_MS = 100;

export function createHostPlaces(politeness: Politeness, clock: Clock): HostPlaces {
  const sleepers = new Set<AbortController>();

  const sleep = async (ms: number, signal: AbortSignal) => {
    const waking = new AbortController();
    sleepers.add(waking);
    try {
      await clock.sleep(ms, AbortSignal.any([signal, waking.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!waking.signal.aborted) throw error;
    } finally {
      sleepers.delete(waking);
    }
  };

  return {
    async enter(host, signal) {
      signal.throwIfAborted();
      while (politeness.places(host) < 1) {
        const opensAt = politeness.nextAt(host);
        await sleep(opensAt === undefined ? LOOK_AGAIN_MS : Math.max(1, opensAt - clock.now()), signal);
      }
      politeness.started(host);
      let hasLeft = false;
      return (answer) => {
        if (hasLeft) return;
        hasLeft = true;
        politeness.finished(host, answer);
        for (const waking of sleepers) waking.abort();
      };
    },
  };
}
