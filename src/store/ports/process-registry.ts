// Port: the processes that share a store. Each one is alive while it renews its row every few seconds.

export interface ProcessFacts {
  /** Random, new with every start. */
  id: string;
  /** What people call it. */
  name: string;
  /** A newer version may have roles that this one does not know. */
  role: string;
  /** Where the others reach it. */
  url: string;
  /** That it knows the secret of the installation. */
  proof: string;
  version: string;
  /** Protocol version of calls between processes. */
  protocol: number;
  hasBrowser: boolean;
  /** Pages and sessions that it could open now. */
  freePages: number;
  freeSessions: number;
  /** Requests and pages of jobs that it runs at once for one team, at most. */
  maxConcurrency: number;
  startedAt: number;
}

export interface ProcessRow extends ProcessFacts {
  seenAt: number;
}

/** A process that has not renewed its row for this long is dead: nobody calls it, and its sessions are gone. */
export const DEAD_AFTER_MS = 20_000;

export interface ProcessRegistry {
  /** Registers a process, or says that it is still alive. True if it had no row (any more), so its sessions have none either. */
  renew(process: ProcessFacts, now: number): Promise<boolean>;
  /** Those that are alive, the oldest first. */
  list(now: number): Promise<ProcessRow[]>;
  /** The time that all processes share. Undefined if there is only one, whose own clock counts. */
  time(): Promise<number | undefined>;
  /** It ends. */
  leave(id: string): Promise<void>;
}
