// SQL for the threat policies of teams.
import type { Connection } from '../../util/sqlite.ts';
import { policyChange } from '../records/teams/policy-change.ts';
import type { ThreatPolicyStore } from '../threat-policy-store.ts';
import type { AuditRows } from './audit-rows.ts';
import type { Served } from './served.ts';

export function createThreatPolicyRows(
  connection: Connection,
  audit: Pick<AuditRows, 'record'>,
): Served<ThreatPolicyStore> {
  const find = connection.prepare<{ policy: string; updatedAt: number }>(
    'SELECT policy, updated_at AS updatedAt FROM threat_policies WHERE team_id = ?',
  );
  const put = connection.prepare(
    `INSERT INTO threat_policies (team_id, policy, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (team_id) DO UPDATE SET policy = excluded.policy, updated_at = excluded.updated_at`,
  );
  return {
    find(teamId) {
      const row = find.get(teamId);
      return row && { policy: JSON.parse(row.policy), updatedAt: row.updatedAt };
    },
    save(teamId, policy, by) {
      connection.transaction(() => {
        put.run(teamId, JSON.stringify(policy), by.at);
        audit.record(policyChange(teamId, policy, by));
      });
    },
  };
}
