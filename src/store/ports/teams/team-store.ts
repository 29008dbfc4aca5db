// Port: teams and their API keys (stored as hashes). Each change writes its row in the audit log in the same transaction.
import type { KeyLimits, TeamSettings } from '../../../contracts/team/policy.ts';
import type { Actor } from './audit-log.ts';

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
  /** The first characters of the key: enough to recognise it, too few to use it. They stay when it is rotated. */
  prefix: string;
  teamId: string;
  /** Name of the team. */
  team: string;
  label: string | null;
  limits: KeyLimits;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  /** Until when the secret before the last rotation is valid; null if the key was never rotated. */
  previousUntil: number | null;
}

export interface KeyOwner {
  team: Team;
  /** Prefix of the key. */
  key: string;
  keyId: string;
  limits: KeyLimits;
  expiresAt: number | null;
}

export interface NewKey {
  hash: string;
  prefix: string;
  /** Name of the team. A team that does not exist is created. */
  team: string;
  label?: string | null;
  limits?: KeyLimits;
  expiresAt?: number | null;
}

/** Fields that are absent stay as they are. */
export type KeyChange = Partial<Pick<KeyRecord, 'label' | 'limits' | 'expiresAt'>>;

export interface NewSecret {
  hash: string;
  /** Until when the secret before it is valid. One before that ends at once. */
  previousUntil: number;
}

/** Which key is meant. The key of another team is not found. */
export interface KeyName {
  id: string;
  teamId: string;
  /** Refuses what would leave the team without a key that has no restrictions: the result is `last`. */
  unlessLast?: boolean;
}

export interface TeamStore {
  /** Finds the team by name, or creates it. */
  ensureTeam(name: string, now: number): Promise<Team>;
  find(id: string): Promise<Team | undefined>;
  findByName(name: string): Promise<Team | undefined>;
  listTeams(): Promise<TeamRecord[]>;
  /** Undefined if there is a team with this name. */
  createTeam(name: string, settings: TeamSettings, by: Actor): Promise<Team | undefined>;
  /** Replaces what is set for a team. Undefined if there is no such team. */
  changeTeam(id: string, settings: TeamSettings, by: Actor): Promise<Team | undefined>;
  addKey(key: NewKey, by: Actor): Promise<KeyRecord>;
  /** Undefined if there is a key of any team, also if it is being added by another process. */
  addFirstKey(key: NewKey, by: Actor): Promise<KeyRecord | undefined>;
  /** Lists the keys of one team, or of all. Expired keys are listed until the sweeper removes them. */
  listKeys(teamId?: string): Promise<KeyRecord[]>;
  /** The hashes of all keys, also those that are valid for a grace time. */
  listKeyHashes(): Promise<string[]>;
  /** Undefined if the team has no such key. */
  changeKey(key: KeyName, change: KeyChange, by: Actor): Promise<KeyRecord | 'last' | undefined>;
  /** Undefined if the team has no such key. */
  rotateKey(key: KeyName, secret: NewSecret, by: Actor): Promise<KeyRecord | undefined>;
  /** Undefined if the team has no such key. */
  removeKey(key: KeyName, by: Actor): Promise<KeyRecord | 'last' | undefined>;
  /** The owner of a key that has not expired. Records when the key was used, at most once a minute. */
  findByKey(hash: string, now: number): Promise<KeyOwner | undefined>;
  /** Which of these are hashes of valid keys. */
  findValid(hashes: readonly string[], now: number): Promise<string[]>;
}
