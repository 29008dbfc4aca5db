// Port: the streams of audit events to the collectors of teams: where each goes, and how far it has come.
import type { AuditAction } from '../../../contracts/team/audit.ts';
import type { DeliveryResult } from '../deliveries/delivery-store.ts';
import type { AuditEvent, StoredAuditEvent } from './audit-log.ts';

export interface SiemSettings {
  url: string;
  /** Sent as a bearer token. */
  token?: string;
  headers: Record<string, string>;
  /** Only these; empty: all. */
  events: AuditAction[];
}

export interface SiemStream {
  isEnabled: boolean;
  /** Undefined if they were sealed with another secret. */
  settings: SiemSettings | undefined;
  updatedAt: number;
  lastDeliveredAt?: number;
  /** Since when nothing could be delivered, and why. */
  failingSince?: number;
  lastError?: string;
  /** Events that wait; no more than MAX_BACKLOG are counted. */
  backlog: number;
}

export interface SiemBatch {
  /** One for each team, so that its events arrive in order. */
  id: number;
  teamId: string;
  team: string;
  settings: SiemSettings;
  /** The oldest first. */
  events: StoredAuditEvent[];
  /** Attempts so far. */
  attempts: number;
}

export const MAX_BACKLOG = 100_000;

export interface SiemStore {
  read(teamId: string): Promise<SiemStream | undefined>;
  /** Replaces the settings and records it. A new stream begins with `change`; another one goes on where it was. */
  write(stream: Pick<SiemStream, 'isEnabled'> & { settings: SiemSettings }, change: AuditEvent): Promise<void>;
  /** The next events of streams that have some and may be tried. They are not handed out again for a minute. */
  due(now: number, limit: number): Promise<SiemBatch[]>;
  /** `upTo` is the last event of the batch. */
  settle(batch: { id: number; upTo: number }, result: DeliveryResult, now: number, reason?: string): Promise<void>;
  /** When the next stream may be tried, whether or not it has events; undefined if none is enabled. */
  nextAt(): Promise<number | undefined>;
}
