// Notifies watchers when a job has changed in the store.

export interface Changes {
  /** Resolves with the next change. Call it before reading the job, so that no change is missed in between. */
  next(jobId: string): Promise<void>;
  notify(jobId: string): void;
}

export function createChanges(): Changes {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  return {
    next(jobId) {
      const change = waiting.get(jobId) ?? Promise.withResolvers<void>();
      waiting.set(jobId, change);
      return change.promise;
    },
    notify(jobId) {
      waiting.get(jobId)?.resolve();
      waiting.delete(jobId);
    },
  };
}
