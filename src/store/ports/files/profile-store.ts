// Port: what a browser has stored for a team under a name: cookies, local and session storage, IndexedDB. Encrypted at rest.

export interface ProfileStore {
  /** The state as JSON; undefined if there is no profile of that name. Throws PROFILE_UNREADABLE if its key is lost. */
  read(teamId: string, name: string): Promise<string | undefined>;
  /** Throws PROFILE_TOO_LARGE and leaves the stored profile unchanged. */
  write(teamId: string, name: string, state: string, now: number): Promise<void>;
  /** False if there was none. */
  remove(teamId: string, name: string): Promise<boolean>;
}

/** Many may read a profile, but only one at a time may be about to save it. */
export interface ProfileLocks {
  /** Throws PROFILE_IN_USE while another caller holds the lock, in this process or another one. */
  take(teamId: string, name: string): Promise<ProfileLock>;
}

export interface ProfileLock {
  /** False if this process was cut off from the others for so long that one of them may have taken the lock. */
  isHeld(): Promise<boolean>;
  /** Does nothing the second time. */
  release(): void;
}
