// Port: the audit log: who changed what, from where, and what was refused for reasons of security. Rows never change.
import type { AuditAction } from '../../../contracts/team/audit.ts';
import type { AuditTarget } from '../../../contracts/team/audit-target.ts';

export interface AuditEvent {
  at: number;
  teamId: string;
  /** Prefix of the key, `operator` on the command line, or `system`. */
  actor: string;
  /** Address of the caller, if there was one. */
  address?: string;
  /** Such as `key.created`, `team.changed`, `threat.blocked`. */
  action: AuditAction;
  target?: AuditTarget;
  /** Short, and without secrets. */
  details?: AuditDetails;
}

/** Who makes a change, from where, and when. */
export interface Actor extends Pick<AuditEvent, 'actor' | 'address'> {
  at: number;
}

export type AuditDetails = Record<string, string | number | boolean>;

export interface StoredAuditEvent extends AuditEvent {
  /** Increases with time. */
  id: number;
}

export interface AuditQuery {
  /** Only this team; absent for the operator. */
  teamId?: string;
  action?: AuditAction;
  /** Older than this id. */
  before?: number;
  limit: number;
}

/** Texts are cut to a length, and details that are longer than a limit are left out. */
export interface AuditLog {
  add(event: AuditEvent): Promise<void>;
  /** All of them, in this order; those of teams that do not exist any more are ignored. */
  addAll(events: readonly AuditEvent[]): Promise<void>;
  /** The newest first. */
  list(query: AuditQuery): Promise<StoredAuditEvent[]>;
  /** The oldest first, after this id: for those who stream the log elsewhere. */
  since(teamId: string, id: number, limit: number): Promise<StoredAuditEvent[]>;
}
