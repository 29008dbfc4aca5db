// The team that a request names: every caller may name its own in a query, the operator every team.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Caller } from '../caller.ts';
import { isOperator, requireOperator } from './operator.ts';

/** By name or ID; absent: the team of the caller. Throws OPERATOR_ONLY with `refusal`, or TEAM_NOT_FOUND. */
export async function namedTeam(
  { teams }: { teams: Pick<TeamStore, 'find' | 'findByName'> },
  caller: Caller,
  name: string | undefined,
  refusal: string,
): Promise<Team> {
  if (name === undefined || name === caller.team.id || name === caller.team.name) return caller.team;
  if (!isOperator(caller)) throw new ServiceError('OPERATOR_ONLY', { message: refusal });
  const found = (await teams.find(name)) ?? (await teams.findByName(name));
  if (!found) throw new ServiceError('TEAM_NOT_FOUND');
  return found;
}

/** A team that the operator names. Throws OPERATOR_ONLY or TEAM_NOT_FOUND. */
export async function teamOf({ teams }: { teams: Pick<TeamStore, 'find'> }, caller: Caller, id: string): Promise<Team> {
  requireOperator(caller);
  const team = await teams.find(id);
  if (!team) throw new ServiceError('TEAM_NOT_FOUND');
  return team;
}
