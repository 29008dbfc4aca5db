// Port: what a browser has stored for a team under a name: cookies, local and session storage, IndexedDB. Encrypted at rest.

export interface ProfileStore {
  /** The state as JSON; undefined when there is none of that name. Throws PROFILE_UNREADABLE when there is one and its key is lost. */
  read(teamId: string, name: string): Promise<string | undefined>;
  /** Throws PROFILE_TOO_LARGE and leaves what was there. */
  write(teamId: string, name: string, state: string, now: number): Promise<void>;
  /** False when there was none. */
  remove(teamId: string, name: string): Promise<boolean>;
}

/** Many may read a profile, one at a time may be about to save it. */
export interface ProfileLocks {
  /** Gives the function that ends it. Throws PROFILE_IN_USE while another has it. */
  take(teamId: string, name: string): () => void;
}
