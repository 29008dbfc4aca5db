// Port: which process is about to save which browser profile. The locks of a dead process do not count.

export interface ProfileLockName {
  /** Random, new with every lock. */
  holder: string;
  processId: string;
  teamId: string;
  /** Name of the profile. */
  name: string;
}

export interface SharedProfileLocks {
  /** False while a process that is alive holds the lock. */
  take(lock: ProfileLockName, now: number): Promise<boolean>;
  /** Whether nobody else has taken the lock, in case this process was held up for too long. */
  isHeld(holder: string, now: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}
