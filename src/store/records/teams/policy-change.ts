// What the audit log says about a changed threat policy: its lists by their lengths.
import type { ThreatPolicy } from '../../../contracts/threat-protection.ts';
import type { AuditEvent } from '../../audit-log.ts';
import type { ChangedBy } from '../../threat-policy-store.ts';

export function policyChange(teamId: string, policy: ThreatPolicy, { actor, address, at }: ChangedBy): AuditEvent {
  const { blacklist, whitelist, blockedTlds, ...rest } = policy;
  const sizes = { blacklist: blacklist.length, whitelist: whitelist.length, blockedTlds: blockedTlds.length };
  return { at, teamId, actor, address, action: 'threat-policy.changed', details: { ...rest, ...sizes } };
}
