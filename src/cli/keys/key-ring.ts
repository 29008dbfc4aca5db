// Port: the keys and teams of a data folder, as its operator manages them.

import type { AgentClaim, ApproveClaimRequest } from '../../contracts/onboarding/onboarding.ts';
import type { ChangeKeyRequest, ChangeTeamRequest, CreateKeyRequest } from '../../contracts/team/keys.ts';
import type { KeyRecord, TeamRecord } from '../../store/ports/teams/team-store.ts';

/** The operations on the opened store, as the operator. */
export interface KeyRing {
  /** The team of keys that name none. */
  defaultTeam: string;
  listKeys(): Promise<KeyRecord[]>;
  listTeams(): Promise<TeamRecord[]>;
  create(team: string, key: CreateKeyRequest): Promise<{ key: string; record: KeyRecord }>;
  change(key: KeyRecord, change: ChangeKeyRequest): Promise<KeyRecord>;
  rotate(key: KeyRecord, graceHours: number): Promise<{ key: string; record: KeyRecord }>;
  revoke(key: KeyRecord): Promise<KeyRecord>;
  /** Creates the team if it does not exist. */
  setTeam(name: string, change: ChangeTeamRequest): Promise<void>;
  listClaims(): Promise<AgentClaim[]>;
  /** Returns the first characters of the key. */
  approve(id: string, terms: ApproveClaimRequest): Promise<string>;
}
