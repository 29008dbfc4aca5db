// Port: what a browser has stored for a team under a name: cookies, local and session storage, IndexedDB. Encrypted at rest.

export interface ProfileStore {
  /** The state as JSON; undefined when there is none of that name. */
  read(teamId: string, name: string): Promise<string | undefined>;
  write(teamId: string, name: string, state: string, now: number): Promise<void>;
  /** False when there was none. */
  remove(teamId: string, name: string): Promise<boolean>;
}
