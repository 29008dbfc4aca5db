// Notifies watchers when a job has changed in the store, in this process or in another one.

import type { WakeUps } from '../store/ports/wake-ups.ts';
import type { Clock } from '../util/clock.ts';

export interface Changes {
  /** Resolves with the next change, or a while later. Call it before reading the job, so that no change is missed in between. */
  next(jobId: string): Promise<void>;
}

interface ChangesDeps {
  wakeUps: Pick<WakeUps, 'on' | 'isShared'>;
  clock: Pick<Clock, 'sleep'>;
}

/** Wake-ups of other processes may be lost, so watchers look by themselves now and then. */
const LOOK_MS = 2_000;

export function createChanges({ wakeUps, clock }: ChangesDeps): Changes {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  let isLooking = false;

  const notify = (jobId: string) => {
    waiting.get(jobId)?.resolve();
    waiting.delete(jobId);
  };
  const notifyAll = () => {
    for (const jobId of waiting.keys()) notify(jobId);
  };
  wakeUps.on('changes', (jobId) => (jobId === undefined ? notifyAll() : notify(jobId)));

  const lookLater = async () => {
    isLooking = true;
    await clock.sleep(LOOK_MS);
    isLooking = false;
    notifyAll();
  };

  return {
    next(jobId) {
      const change = waiting.get(jobId) ?? Promise.withResolvers<void>();
      waiting.set(jobId, change);
      if (wakeUps.isShared && !isLooking) void lookLater();
      return change.promise;
    },
  };
}
