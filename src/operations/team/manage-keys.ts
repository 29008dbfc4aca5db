// Managing keys over HTTP: a team manages its own, the operator those of every team.
import type { ChangeKeyRequest, CreateKeyRequest, KeyView, RotateKeyRequest } from '../../contracts/team/keys.ts';
import type { Actor } from '../../store/ports/teams/audit-log.ts';
import type { KeyName, KeyRecord, Team } from '../../store/ports/teams/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import * as keys from './keys.ts';
import { teamOf } from './named-team.ts';

export interface ManageKeysDeps extends keys.KeyDeps {
  clock: Pick<Clock, 'now'>;
  /** TRAWL_API_KEY is set, or authentication is off: the operator needs no stored key. */
  hasOwnKey: boolean;
}

export const actorOf = ({ key = 'operator', address }: Caller, { clock }: Pick<ManageKeysDeps, 'clock'>): Actor => ({
  actor: key,
  address,
  at: clock.now(),
});

export const listKeys = async (deps: ManageKeysDeps, { caller }: Call<'listKeys'>) =>
  keysOf(deps, caller, caller.team).list();

export const createKey = async (deps: ManageKeysDeps, { caller, body }: Call<'createKey'>) =>
  keysOf(deps, caller, caller.team).create(body);

export const changeKey = async (deps: ManageKeysDeps, { caller, params, body }: Call<'changeKey'>) =>
  keysOf(deps, caller, caller.team).change(params.id, body);

export const revokeKey = async (deps: ManageKeysDeps, { caller, params }: Call<'revokeKey'>) =>
  keysOf(deps, caller, caller.team).revoke(params.id);

export const rotateKey = async (deps: ManageKeysDeps, { caller, params, body }: Call<'rotateKey'>) =>
  keysOf(deps, caller, caller.team).rotate(params.id, body);

export const listTeamKeys = async (deps: ManageKeysDeps, { caller, params }: Call<'listTeamKeys'>) =>
  keysOf(deps, caller, await teamOf(deps, caller, params.id)).list();

export const createTeamKey = async (deps: ManageKeysDeps, { caller, params, body }: Call<'createTeamKey'>) =>
  keysOf(deps, caller, await teamOf(deps, caller, params.id)).create(body);

export const changeTeamKey = async (deps: ManageKeysDeps, { caller, params, body }: Call<'changeTeamKey'>) =>
  keysOf(deps, caller, await teamOf(deps, caller, params.id)).change(params.keyId, body);

export const revokeTeamKey = async (deps: ManageKeysDeps, { caller, params }: Call<'revokeTeamKey'>) =>
  keysOf(deps, caller, await teamOf(deps, caller, params.id)).revoke(params.keyId);

export const rotateTeamKey = async (deps: ManageKeysDeps, { caller, params, body }: Call<'rotateTeamKey'>) =>
  keysOf(deps, caller, await teamOf(deps, caller, params.id)).rotate(params.keyId, body);

/** `team` is the caller's own, or any for the operator. */
function keysOf(deps: ManageKeysDeps, caller: Caller, team: Team) {
  const by = actorOf(caller, deps);
  const unlessLast = team.name === keys.DEFAULT_TEAM && !deps.hasOwnKey;
  const name = (id: string): KeyName => ({ id, teamId: team.id, unlessLast });
  const view = (record: KeyRecord) => ({ success: true as const, data: viewOf(record, by.at) });
  const shown = ({ key, record }: keys.ShownKey) => ({
    success: true as const,
    data: { ...viewOf(record, by.at), key },
  });
  return {
    list: async () => ({
      success: true as const,
      data: (await deps.teams.listKeys(team.id)).map((record) => viewOf(record, by.at)),
    }),
    create: async (request: CreateKeyRequest) => shown(await keys.createKey(deps, team, request, by)),
    change: async (id: string, request: ChangeKeyRequest) => view(await keys.changeKey(deps, name(id), request, by)),
    revoke: async (id: string) => view(await keys.revokeKey(deps, name(id), by)),
    rotate: async (id: string, { graceHours }: RotateKeyRequest) =>
      shown(await keys.rotateKey(deps, name(id), graceHours, by)),
  };
}

const viewOf = ({ teamId, ...key }: KeyRecord, now: number): KeyView => ({
  ...key,
  createdAt: iso(key.createdAt),
  lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
  expiresAt: key.expiresAt === null ? null : iso(key.expiresAt),
  previousUntil: key.previousUntil === null || key.previousUntil <= now ? null : iso(key.previousUntil),
});
