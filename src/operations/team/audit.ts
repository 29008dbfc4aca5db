// The audit log of a team, the newest events first. The operator may read the log of every team.
import type { AuditResponse } from '../../contracts/team/audit.ts';
import { showEvent } from '../../jobs/siem/show-event.ts';
import type { AuditLog } from '../../store/ports/teams/audit-log.ts';
import type { Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { namedTeam } from './named-team.ts';
import { isOperator } from './operator.ts';

interface AuditDeps {
  audit: Pick<AuditLog, 'list'>;
  teams: Pick<TeamStore, 'find' | 'findByName' | 'listTeams'>;
}

const ALL_TEAMS = 'all';

export async function auditLog(
  deps: AuditDeps,
  { caller, query: { action, team, limit, cursor } }: Call<'auditLog'>,
): Promise<AuditResponse> {
  const asked = await askedTeam(deps, caller, team);
  // One more than is returned shows whether there are more.
  const found = await deps.audit.list({ teamId: asked?.id, action, before: cursor, limit: limit + 1 });
  const returned = found.slice(0, limit);
  const hasMore = found.length > limit;
  const nameOf = await teamNames(deps, asked);
  return {
    success: true,
    data: returned.map((event) => showEvent(event, nameOf(event.teamId))),
    cursor: hasMore ? String(returned.at(-1)!.id) : null,
    has_more: hasMore,
  };
}

/** Undefined: all teams. */
const askedTeam = async (deps: AuditDeps, caller: Caller, name: string | undefined): Promise<Team | undefined> =>
  name === ALL_TEAMS && isOperator(caller) ? undefined : namedTeam(deps, caller, name, NOT_YOUR_TEAM);

const NOT_YOUR_TEAM =
  'Only the operator reads the audit logs of other teams. Leave out `team` to read the one of your own team.';

async function teamNames({ teams }: AuditDeps, asked: Team | undefined): Promise<(id: string) => string> {
  if (asked) return () => asked.name;
  const names = new Map((await teams.listTeams()).map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
