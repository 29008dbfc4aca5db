// Teams, which only the operator manages.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ChangeTeamRequest, TeamView } from '../../contracts/team/keys.ts';
import type { TeamSettings } from '../../contracts/team/policy.ts';
import { createNetworkRule } from '../../policy/keys/networks.ts';
import type { Plans } from '../../policy/plan.ts';
import type { Actor } from '../../store/ports/teams/audit-log.ts';
import type { Team, TeamRecord, TeamStore } from '../../store/ports/teams/team-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { actorOf, type ManageKeysDeps } from './manage-keys.ts';
import { teamOf } from './named-team.ts';
import { requireOperator } from './operator.ts';

export interface TeamDeps {
  teams: TeamStore;
  plans: Plans;
  /** Called with a team whose settings have changed. */
  onTeamChanged?(team: Team): void;
}

export type ManageTeamsDeps = TeamDeps & ManageKeysDeps;

export async function listTeams({ teams, plans }: ManageTeamsDeps, { caller }: Call<'listTeams'>) {
  requireOperator(caller);
  return { success: true as const, data: (await teams.listTeams()).map((team) => viewOf(team, plans)) };
}

export async function getTeam(deps: ManageTeamsDeps, { caller, params }: Call<'getTeam'>) {
  return { success: true as const, data: await read(deps, await teamOf(deps, caller, params.id)) };
}

export async function createTeam(deps: ManageTeamsDeps, { caller, body }: Call<'createTeam'>) {
  const { name, ...settings } = body;
  requireOperator(caller);
  return { success: true as const, data: await read(deps, await addTeam(deps, name, settings, actorOf(caller, deps))) };
}

export async function changeTeam(deps: ManageTeamsDeps, { caller, params, body }: Call<'changeTeam'>) {
  const team = await teamOf(deps, caller, params.id);
  if (team.id === caller.team.id) refuseLockOut(caller, body);
  return { success: true as const, data: await read(deps, await setTeam(deps, team, body, actorOf(caller, deps))) };
}

/** Also for the command line. Throws TEAM_EXISTS, or BAD_REQUEST for an unknown plan. */
export async function addTeam(
  { teams, plans }: TeamDeps,
  name: string,
  settings: TeamSettings,
  by: Actor,
): Promise<Team> {
  checkPlan(plans, settings);
  const team = await teams.createTeam(name, settings, by);
  if (!team) throw new ServiceError('TEAM_EXISTS');
  return team;
}

/** Also for the command line. */
export async function setTeam(
  { teams, plans, onTeamChanged }: TeamDeps,
  { id, settings = {} }: Team,
  { unset = [], ...change }: ChangeTeamRequest,
  by: Actor,
): Promise<Team> {
  checkPlan(plans, change);
  const kept = Object.entries(settings).filter(([name]) => !(unset as string[]).includes(name));
  const rates = change.rates && { rates: { ...settings.rates, ...change.rates } };
  const team = await teams.changeTeam(id, { ...Object.fromEntries(kept), ...change, ...rates }, by);
  if (!team) throw new ServiceError('TEAM_NOT_FOUND');
  onTeamChanged?.(team);
  return team;
}

function checkPlan(plans: Plans, { plan }: TeamSettings): void {
  if (plan === undefined || plans.has(plan)) return;
  const message = `There is no plan '${plan}'. Plans are: ${plans.names().join(', ')}. TRAWL_PLANS adds others.`;
  throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path: ['plan'], message }] });
}

/** Otherwise the next request of the operator would be refused. */
function refuseLockOut({ address }: Caller, { networks }: ChangeTeamRequest): void {
  if (networks === undefined) return;
  try {
    createNetworkRule()({ team: { settings: { networks } }, address });
  } catch {
    const message = `\`networks\` must include ${address || 'your own address'}, from which this request comes: it would lock you out.`;
    throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path: ['networks'], message }] });
  }
}

async function read({ teams, plans }: TeamDeps, { id }: Team): Promise<TeamView> {
  const team = (await teams.listTeams()).find((each) => each.id === id);
  if (!team) throw new ServiceError('TEAM_NOT_FOUND');
  return viewOf(team, plans);
}

const viewOf = ({ createdAt, ...team }: TeamRecord, plans: Plans): TeamView => ({
  ...team,
  createdAt: iso(createdAt),
  limits: plans.limitsOf(team),
});
