// Port: tells this process and all others that there is something new, so that nobody has to look every moment. A wake-up may be
// lost when a process or the network fails: those who depend on it also look by themselves now and then.

/**
 * `changes`: a job has changed; `feed`: there are changes for the index; `keys`: keys of teams have changed; `teams`: what is
 * set for a team has changed.
 */
export type Topic = 'jobs' | 'runs' | 'deliveries' | 'monitors' | 'mails' | 'feed' | 'changes' | 'keys' | 'teams';

/** Without a key, anything of the topic may be new. */
export type WakeUpHandler = (key: string | undefined) => void;

export interface WakeUps {
  /** Whether there may be other processes. Without them there is nothing to look for. */
  readonly isShared: boolean;
  /** Call after the commit. The handlers of this process run at once, those of the others within moments. */
  notify(topic: Topic, key?: string): void;
  /** Returns a function that removes the handler. */
  on(topic: Topic, handler: WakeUpHandler, from?: WakeUpSource): () => void;
  close(): Promise<void>;
}

/** `others`: the handler does not run for what this process itself says. */
export type WakeUpSource = 'anywhere' | 'others';
