// Port: teams and their API keys (stored as hashes).
import type { KeyLimits, TeamSettings } from '../contracts/policy.ts';

export interface Team {
  id: string;
  name: string;
  /** What its operator has set for it. Absent fields are decided by its plan and the settings of the service. */
  settings?: TeamSettings;
}

export interface TeamRecord extends Team {
  settings: TeamSettings;
  createdAt: number;
  keys: number;
}

export interface KeyRecord {
  id: string;
  /** The first characters of the key: enough to recognise it, too few to use it. */
  prefix: string;
  team: string;
  label: string | null;
  limits: KeyLimits;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
}

export interface KeyOwner {
  team: Team;
  /** Prefix of the key. */
  key: string;
  keyId: string;
  limits: KeyLimits;
}

export interface NewKey {
  hash: string;
  prefix: string;
  /** Name of the team. */
  team: string;
  label?: string;
  limits?: KeyLimits;
  expiresAt?: number;
  now: number;
}

/** Fields that are absent stay as they are. */
export type KeyChange = Partial<Pick<KeyRecord, 'label' | 'limits' | 'expiresAt'>>;

export interface TeamStore {
  /** Finds the team by name, or creates it. */
  ensureTeam(name: string, now: number): Promise<Team>;
  find(id: string): Promise<Team | undefined>;
  findByName(name: string): Promise<Team | undefined>;
  listTeams(): Promise<TeamRecord[]>;
  /** Replaces what is set for a team. Undefined if there is no such team. */
  changeTeam(id: string, settings: TeamSettings): Promise<Team | undefined>;
  addKey(key: NewKey): Promise<KeyRecord>;
  /** Of one team, or of all. Keys that have expired are listed until the sweeper removes them. */
  listKeys(teamId?: string): Promise<KeyRecord[]>;
  /** The hashes of all keys. */
  listKeyHashes(): Promise<string[]>;
  /** Undefined if the team has no such key. */
  changeKey(id: string, teamId: string, change: KeyChange): Promise<KeyRecord | undefined>;
  /** Undefined if the team has no such key. */
  removeKey(id: string, teamId: string): Promise<KeyRecord | undefined>;
  /**
   * Removes the key whose prefix starts with `prefix` and returns it. If several match, returns them and removes none.
   */
  revokeKeys(prefix: string): Promise<KeyRecord[]>;
  /** The owner of a key that has not expired. Records when the key was used, at most once a minute. */
  findByKey(hash: string, now: number): Promise<KeyOwner | undefined>;
}
