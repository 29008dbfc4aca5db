// SQL for the threat policies of teams.
import { policyChange } from '../../records/teams/policy-change.ts';
import type { ThreatPolicyStore } from '../../threat-policy-store.ts';
import type { Base } from '../base.ts';
import type { AuditRows } from './audit-rows.ts';

interface Deps extends Pick<Base, 'database'> {
  audit: Pick<AuditRows, 'record'>;
}

export function createThreatPolicyRows({ database, audit }: Deps): ThreatPolicyStore {
  const { sql: pool, transaction } = database;
  return {
    async find(teamId) {
      const [row] = await pool<{ policy: string; updatedAt: number }[]>`
        SELECT policy, updated_at AS "updatedAt" FROM threat_policies WHERE team_id = ${teamId}`;
      return row && { policy: JSON.parse(row.policy), updatedAt: row.updatedAt };
    },
    save: (teamId, policy, by) =>
      transaction(async (sql) => {
        // First, because it locks the team.
        await audit.record(sql, policyChange(teamId, policy, by));
        await sql`
          INSERT INTO threat_policies (team_id, policy, updated_at) VALUES (${teamId}, ${JSON.stringify(policy)}, ${by.at})
          ON CONFLICT (team_id) DO UPDATE SET policy = excluded.policy, updated_at = excluded.updated_at`;
      }),
  };
}
