/** Types of lock.mjs. */
export function withLock(lock: string, onWait: () => void, work: () => unknown): Promise<void>;
