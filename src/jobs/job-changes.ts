// Who waits for news of a job is told when something of it was written.

export interface Changes {
  /** Settles with the next change. Ask before reading, so that nothing falls in between. */
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
