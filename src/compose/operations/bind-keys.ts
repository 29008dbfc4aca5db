// Binds the operations that manage keys and teams. They are loaded with the first request, to keep an idle service small.

import type { KEY_ROUTES } from '../../contracts/key-routes.ts';
import type { Operations } from '../../operations/call.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ManageTeamsDeps } from '../../operations/team/manage-teams.ts';

export function bindKeys(deps: ManageTeamsDeps): Pick<Operations, keyof typeof KEY_ROUTES> {
  const teams = () => import('../../operations/team/manage-teams.ts');
  const ownKeys = async (caller: Caller) =>
    (await import('../../operations/team/manage-keys.ts')).manageKeys(deps, caller, caller.team);
  const keysOf = async (caller: Caller, id: string) => {
    const team = await (await teams()).teamOf(deps, caller, id);
    return (await import('../../operations/team/manage-keys.ts')).manageKeys(deps, caller, team);
  };
  return {
    listKeys: async ({ caller }) => (await ownKeys(caller)).list(),
    createKey: async ({ caller, body }) => (await ownKeys(caller)).create(body),
    changeKey: async ({ caller, params, body }) => (await ownKeys(caller)).change(params.id, body),
    revokeKey: async ({ caller, params }) => (await ownKeys(caller)).revoke(params.id),
    rotateKey: async ({ caller, params, body }) => (await ownKeys(caller)).rotate(params.id, body),
    listTeams: async ({ caller }) => (await teams()).listTeams(deps, caller),
    createTeam: async ({ caller, body }) => (await teams()).createTeam(deps, caller, body),
    getTeam: async ({ caller, params }) => (await teams()).getTeam(deps, caller, params.id),
    changeTeam: async ({ caller, params, body }) => (await teams()).changeTeam(deps, caller, params.id, body),
    listTeamKeys: async ({ caller, params }) => (await keysOf(caller, params.id)).list(),
    createTeamKey: async ({ caller, params, body }) => (await keysOf(caller, params.id)).create(body),
    changeTeamKey: async ({ caller, params, body }) => (await keysOf(caller, params.id)).change(params.keyId, body),
    revokeTeamKey: async ({ caller, params }) => (await keysOf(caller, params.id)).revoke(params.keyId),
    rotateTeamKey: async ({ caller, params, body }) => (await keysOf(caller, params.id)).rotate(params.keyId, body),
  };
}
