// Port: the threat policies of teams.
import type { ThreatPolicy } from '../../../contracts/threats/threat-protection.ts';

export interface SavedThreatPolicy {
  policy: ThreatPolicy;
  updatedAt: number;
}

/** Who makes a change, for the audit log. */
export interface ChangedBy {
  /** Prefix of the key, or `operator`. */
  actor: string;
  address?: string;
  at: number;
}

export interface ThreatPolicyStore {
  /** Undefined if the team has saved none. */
  find(teamId: string): Promise<SavedThreatPolicy | undefined>;
  /** Replaces the policy, and records the change in the audit log. */
  save(teamId: string, policy: ThreatPolicy, by: ChangedBy): Promise<void>;
}
