// What a caller is told about itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_GROUPS } from '../../../../src/contracts/team/policy.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { describeCaller } from '../../../../src/operations/console/me.ts';
import type { KeyRecord } from '../../../../src/store/ports/teams/team-store.ts';

const TEAM = { id: 'team-1', name: 'default' };
const describeMe = async (caller: Partial<Caller>, authentication: 'required' | 'off' = 'required') => {
  const deps = { teams: { listKeys: async () => [{ id: 'key-1', label: 'laptop' } as KeyRecord] }, authentication };
  return (await describeCaller(deps, { team: TEAM, signal: new AbortController().signal, ...caller })).data;
};

test('without authentication, everybody is the operator and has no key', async () => {
  const me = await describeMe({}, 'off');
  assert.deepEqual([me.key, me.isOperator, me.mayManage, me.authentication], [null, true, true, 'off']);
  assert.deepEqual(me.groups, KEY_GROUPS);
});

test('a stored key is named with its label; without restrictions it may manage', async () => {
  const me = await describeMe({ key: 'fc-12345678', keyId: 'key-1', limits: {}, expiresAt: null });
  assert.deepEqual(me.key, { id: 'key-1', prefix: 'fc-12345678', label: 'laptop', limits: {}, expiresAt: null });
  assert.deepEqual([me.isOperator, me.mayManage], [true, true]);
});

test('a restricted key may manage nothing and makes the calls of its groups', async () => {
  const me = await describeMe({ key: 'fc-1', keyId: 'key-1', limits: { operations: ['map'] } });
  assert.deepEqual([me.isOperator, me.mayManage, me.groups], [false, false, ['map']]);
});

test('a key that expires is restricted, and an empty list of groups restricts nothing', async () => {
  const me = await describeMe({ key: 'fc-1', keyId: 'key-1', limits: { operations: [] }, expiresAt: 0 });
  assert.deepEqual(
    [me.mayManage, me.groups.length, me.key?.expiresAt],
    [false, KEY_GROUPS.length, '1970-01-01T00:00:00.000Z'],
  );
});

test('the key of another team manages its team, but not the server', async () => {
  const me = await describeMe({ team: { id: 'team-2', name: 'other' }, key: 'fc-1', keyId: 'key-9', limits: {} });
  assert.deepEqual([me.isOperator, me.mayManage, me.key?.label], [false, true, null]);
});
