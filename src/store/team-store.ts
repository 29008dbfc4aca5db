// Port: teams and their API keys (stored as hashes).

export interface Team {
  id: string;
  name: string;
}

export interface KeyRecord {
  /** The first characters of the key: enough to recognise it, too few to use it. */
  prefix: string;
  team: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export interface KeyOwner {
  team: Team;
  /** Prefix of the key. */
  key: string;
}

export interface NewKey {
  hash: string;
  prefix: string;
  team: string;
  now: number;
}

export interface TeamStore {
  /** Finds the team by name, or creates it. */
  ensureTeam(name: string, now: number): Promise<Team>;
  find(id: string): Promise<Team | undefined>;
  addKey(key: NewKey): Promise<KeyRecord>;
  listKeys(): Promise<KeyRecord[]>;
  /** The hashes of all keys. */
  listKeyHashes(): Promise<string[]>;
  /**
   * Removes the key whose prefix starts with `prefix` and returns it. If several match, returns them and removes none.
   */
  revokeKeys(prefix: string): Promise<KeyRecord[]>;
  /** The owner of a key. Records when the key was used, at most once a minute. */
  findByKey(hash: string, now: number): Promise<KeyOwner | undefined>;
}
