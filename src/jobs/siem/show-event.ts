// An audit event as the log and the lines of a stream show it.
import type { ShownAuditEvent } from '../../contracts/team/audit.ts';
import type { StoredAuditEvent } from '../../store/ports/teams/audit-log.ts';
import { iso } from '../../util/clock.ts';

export const showEvent = (event: StoredAuditEvent, team: string): ShownAuditEvent => ({
  ...{ time: iso(event.at), id: event.id, team, actor: event.actor, address: event.address ?? null },
  ...{ action: event.action, target: event.target ?? null, details: event.details ?? {} },
});
