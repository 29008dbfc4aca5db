// Waits for a free slot at a host. Politeness counts the slots; crawls and maps share them.
import type { Clock } from '../../util/clock.ts';
import type { HostAnswer, Politeness } from './politeness.ts';

/** Returns the slot and reports how the host answered. */
export type ReleaseSlot = (answer: HostAnswer) => void;

export interface HostSlots {
  /** Rejects with the reason of `signal`. */
  acquire(host: string, signal: AbortSignal): Promise<ReleaseSlot>;
}

/** Slots released by others are not announced here, so look again this often. */
const POLL_MS = 100;

export function createHostSlots(politeness: Politeness, clock: Clock): HostSlots {
  const sleeping = new Set<AbortController>();

  const sleep = async (ms: number, signal: AbortSignal) => {
    const wakeUp = new AbortController();
    sleeping.add(wakeUp);
    try {
      await clock.sleep(ms, AbortSignal.any([signal, wakeUp.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!wakeUp.signal.aborted) throw error;
    } finally {
      sleeping.delete(wakeUp);
    }
  };

  return {
    async acquire(host, signal) {
      signal.throwIfAborted();
      while (politeness.freeSlots(host) < 1) {
        const slotAt = politeness.nextSlotAt(host);
        await sleep(slotAt === undefined ? POLL_MS : Math.max(1, slotAt - clock.now()), signal);
      }
      politeness.started(host);
      let isReleased = false;
      return (answer) => {
        if (isReleased) return;
        isReleased = true;
        politeness.finished(host, answer);
        for (const wakeUp of sleeping) wakeUp.abort();
      };
    },
  };
}
