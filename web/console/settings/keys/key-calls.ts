// The calls that manage keys: those of the own team, or, for the operator, those of any team.
import type { SentBody } from '../../../../src/contracts/route-types.ts';
import { call } from '../../api/call.ts';
import type { Key } from './key-words.ts';

export type NewKey = Key & { key: string };

export interface KeyCalls {
  list(signal: AbortSignal): Promise<Key[]>;
  create(body: SentBody<'createKey'>): Promise<NewKey>;
  change(keyId: string, body: SentBody<'changeKey'>): Promise<Key>;
  rotate(keyId: string, graceHours: number): Promise<NewKey>;
  revoke(keyId: string): Promise<Key>;
}

export function keyCalls(teamId?: string): KeyCalls {
  if (teamId === undefined) {
    return {
      list: async (signal) => (await call('listKeys', { signal })).data,
      create: async (body) => (await call('createKey', { body })).data,
      change: async (id, body) => (await call('changeKey', { params: { id }, body })).data,
      rotate: async (id, graceHours) => (await call('rotateKey', { params: { id }, body: { graceHours } })).data,
      revoke: async (id) => (await call('revokeKey', { params: { id } })).data,
    };
  }
  const of = { id: teamId };
  return {
    list: async (signal) => (await call('listTeamKeys', { params: of, signal })).data,
    create: async (body) => (await call('createTeamKey', { params: of, body })).data,
    change: async (keyId, body) => (await call('changeTeamKey', { params: { ...of, keyId }, body })).data,
    rotate: async (keyId, graceHours) =>
      (await call('rotateTeamKey', { params: { ...of, keyId }, body: { graceHours } })).data,
    revoke: async (keyId) => (await call('revokeTeamKey', { params: { ...of, keyId } })).data,
  };
}
