// Who the caller is and what it may do.
import type { MeResponse } from '../../contracts/team/me.ts';
import { KEY_GROUPS } from '../../contracts/team/policy.ts';
import { isUnrestrictedCaller } from '../../contracts/team/unrestricted-key.ts';
import { readVersion } from '../../runtime/version.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { isOperator } from '../team/operator.ts';

export interface MeDeps {
  teams: Pick<TeamStore, 'listKeys'>;
  authentication: 'required' | 'off';
}

export const me = (deps: MeDeps, { caller }: Call<'me'>): Promise<MeResponse> => describeCaller(deps, caller);

/** Also used while somebody logs in, before there is a call. */
export async function describeCaller(
  { teams, authentication }: MeDeps,
  caller: Pick<Caller, 'team' | 'key' | 'keyId' | 'limits' | 'expiresAt'>,
): Promise<MeResponse> {
  const { team, keyId = null, key: prefix, limits = {}, expiresAt = null } = caller;
  const stored = keyId === null ? undefined : (await teams.listKeys(team.id)).find(({ id }) => id === keyId);
  const expiry = expiresAt === null ? null : iso(expiresAt);
  return {
    success: true,
    data: {
      team: { id: team.id, name: team.name },
      key: prefix === undefined ? null : { id: keyId, prefix, label: stored?.label ?? null, limits, expiresAt: expiry },
      isOperator: isOperator(caller),
      mayManage: isUnrestrictedCaller(caller),
      groups: limits.operations?.length ? limits.operations : [...KEY_GROUPS],
      authentication,
      version: readVersion(),
    },
  };
}
