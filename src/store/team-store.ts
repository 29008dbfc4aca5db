// Port: teams, their API keys (only hashes are kept) and what they have used.

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

export interface NewKey {
  hash: string;
  prefix: string;
  team: string;
  now: number;
}

export interface TeamStore {
  /** The team of that name, made if there is none. */
  ensureTeam(name: string, now: number): Promise<Team>;
  addKey(key: NewKey): Promise<KeyRecord>;
  listKeys(): Promise<KeyRecord[]>;
  /** Removes the keys whose prefix begins with `prefix` and returns them; removes nothing when several match. */
  revokeKeys(prefix: string): Promise<KeyRecord[]>;
  /** The team a key belongs to; remembers (at most once a minute) when it was used. */
  findByKey(hash: string, now: number): Promise<Team | undefined>;
  /** Credits a team has used since a point in time. */
  creditsSince(teamId: string, since: number): Promise<number>;
}
