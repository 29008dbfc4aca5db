// Managing keys over HTTP: a team manages its own, the operator those of every team.
import type { ChangeKeyRequest, CreateKeyRequest, KeyView, RotateKeyRequest } from '../../contracts/keys.ts';
import type { Actor } from '../../store/audit-log.ts';
import type { KeyName, KeyRecord, Team } from '../../store/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Caller } from '../caller.ts';
import { changeKey, createKey, DEFAULT_TEAM, type KeyDeps, revokeKey, rotateKey, type ShownKey } from './keys.ts';

export interface ManageKeysDeps extends KeyDeps {
  clock: Pick<Clock, 'now'>;
  /** TRAWL_API_KEY is set, or authentication is off: the operator needs no stored key. */
  hasOwnKey: boolean;
}

export const actorOf = ({ key = 'operator', address }: Caller, { clock }: Pick<ManageKeysDeps, 'clock'>): Actor => ({
  actor: key,
  address,
  at: clock.now(),
});

/** `team` is the caller's own, or any for the operator. */
export function manageKeys(deps: ManageKeysDeps, caller: Caller, team: Team) {
  const by = actorOf(caller, deps);
  const unlessLast = team.name === DEFAULT_TEAM && !deps.hasOwnKey;
  const name = (id: string): KeyName => ({ id, teamId: team.id, unlessLast });
  const view = (record: KeyRecord) => ({ success: true as const, data: viewOf(record, by.at) });
  const shown = ({ key, record }: ShownKey) => ({ success: true as const, data: { ...viewOf(record, by.at), key } });
  return {
    list: async () => ({
      success: true as const,
      data: (await deps.teams.listKeys(team.id)).map((record) => viewOf(record, by.at)),
    }),
    create: async (request: CreateKeyRequest) => shown(await createKey(deps, team, request, by)),
    change: async (id: string, request: ChangeKeyRequest) => view(await changeKey(deps, name(id), request, by)),
    revoke: async (id: string) => view(await revokeKey(deps, name(id), by)),
    rotate: async (id: string, { graceHours }: RotateKeyRequest) =>
      shown(await rotateKey(deps, name(id), graceHours, by)),
  };
}

const viewOf = ({ teamId, ...key }: KeyRecord, now: number): KeyView => ({
  ...key,
  createdAt: iso(key.createdAt),
  lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
  expiresAt: key.expiresAt === null ? null : iso(key.expiresAt),
  previousUntil: key.previousUntil === null || key.previousUntil <= now ? null : iso(key.previousUntil),
});
