// The threat policies of teams.
import type { ThreatPolicy } from '../../../contracts/threats/threat-protection.ts';
import type { AuditEvent } from '../../ports/teams/audit-log.ts';
import type { ChangedBy, ThreatPolicyStore } from '../../ports/teams/threat-policy-store.ts';
import type { Database } from '../database.ts';
import type { SqlAuditLog } from './audit-log.ts';

export function createThreatPolicies(database: Database, audit: Pick<SqlAuditLog, 'record'>): ThreatPolicyStore {
  return {
    async find(teamId) {
      const row = await database.one<{ policy: string; updatedAt: number }>`
        SELECT policy, updated_at AS "updatedAt" FROM threat_policies WHERE team_id = ${teamId}`;
      return row && { policy: JSON.parse(row.policy), updatedAt: row.updatedAt };
    },
    save: (teamId, policy, by) =>
      database.transaction(async (tx) => {
        // First, because it locks the team.
        await audit.record(tx, changeOf(teamId, policy, by));
        await tx.run`
          INSERT INTO threat_policies (team_id, policy, updated_at) VALUES (${teamId}, ${JSON.stringify(policy)}, ${by.at})
          ON CONFLICT (team_id) DO UPDATE SET policy = excluded.policy, updated_at = excluded.updated_at`;
      }),
  };
}

/** What the audit log says about it: its lists by their lengths. */
function changeOf(teamId: string, policy: ThreatPolicy, { actor, address, at }: ChangedBy): AuditEvent {
  const { blacklist, whitelist, blockedTlds, ...rest } = policy;
  const sizes = { blacklist: blacklist.length, whitelist: whitelist.length, blockedTlds: blockedTlds.length };
  return { at, teamId, actor, address, action: 'threat-policy.changed', details: { ...rest, ...sizes } };
}
