// Audit events as rows hold them: texts have a greatest length, and details that are too long are left out.
import type { AuditTarget } from '../../../contracts/audit-target.ts';
import type { AuditDetails, AuditEvent, StoredAuditEvent } from '../../audit-log.ts';

/** A year and a bit, as auditors ask for. */
export const AUDIT_RETENTION_MS = 400 * 24 * 3_600_000;
const MAX_TEXT = 256;
const MAX_DETAILS = 2_000;

type Texts = Record<'address' | 'target' | 'details', string | null>;
export type AuditRecord = Pick<AuditEvent, 'at' | 'teamId' | 'actor' | 'action'> & Texts;
export type StoredAuditRecord = AuditRecord & Pick<StoredAuditEvent, 'id'>;

export const writeAuditEvent = ({ at, teamId, actor, address, action, target, details }: AuditEvent): AuditRecord => ({
  ...{ at, teamId, action },
  actor: actor.slice(0, MAX_TEXT),
  address: address?.slice(0, MAX_TEXT) ?? null,
  target: target?.slice(0, MAX_TEXT) ?? null,
  details: details ? detailsText(details) : null,
});

export const readAuditEvent = ({ address, target, details, ...event }: StoredAuditRecord): StoredAuditEvent => ({
  ...event,
  ...(address !== null && { address }),
  ...(target !== null && { target: target as AuditTarget }),
  ...(details !== null && { details: JSON.parse(details) }),
});

function detailsText(details: AuditDetails): string {
  const text = JSON.stringify(details);
  return text.length <= MAX_DETAILS ? text : JSON.stringify({ detailsOmitted: true });
}
