// Which domains a team wants to see first, higher, lower or not at all in its searches.
import type { DomainRankingResponse } from '../../contracts/team/domain-ranking.ts';
import { createDomainRanking, type DomainRanking } from '../../urls/domain-ranking.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { actorOf } from './manage-keys.ts';
import { type ManageTeamsDeps, setTeam } from './manage-teams.ts';

/** Undefined if neither the team nor the key wants anything. */
export const rankingFor = ({ team, limits }: Pick<Caller, 'team' | 'limits'>): DomainRanking | undefined =>
  createDomainRanking(team.settings?.ranking, limits?.ranking);

export const domainRanking = async (
  _deps: unknown,
  { caller }: Call<'domainRanking'>,
): Promise<DomainRankingResponse> => shown(caller.team, caller);

export async function setDomainRanking(
  deps: ManageTeamsDeps,
  { caller, body: ranking }: Call<'setDomainRanking'>,
): Promise<DomainRankingResponse> {
  return shown(await setTeam(deps, caller.team, { ranking }, actorOf(caller, deps)), caller);
}

const shown = ({ settings }: Caller['team'], { limits }: Caller): DomainRankingResponse => ({
  success: true,
  data: { team: settings?.ranking ?? {}, key: limits?.ranking ?? {} },
});
