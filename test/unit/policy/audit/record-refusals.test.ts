// What the policy stage refuses is recorded, and only what concerns security.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { BodyOf } from '../../../../src/contracts/route-types.ts';
import type { TeamSettings } from '../../../../src/contracts/team/policy.ts';
import { recordRefusals } from '../../../../src/policy/audit/record-refusals.ts';
import type { SecurityEvent } from '../../../../src/policy/audit/security-log.ts';
import type { PolicyCaller } from '../../../../src/policy/policy-caller.ts';

async function recorded(
  code: ErrorCode,
  settings?: TeamSettings,
  body: object = {},
  more: Partial<PolicyCaller> = {},
): Promise<SecurityEvent[]> {
  const events: SecurityEvent[] = [];
  const refuse = () => Promise.reject(new ServiceError(code));
  const stage = recordRefusals(
    { keylessUse: () => undefined, admit: refuse, check: refuse },
    { record: (event) => events.push(event) },
  );
  const team = { id: 't', name: 't', ...(settings && { settings }) };
  const caller = { team, key: 'fc-1', address: '192.0.2.1', ...more };
  const { signal } = new AbortController();
  await assert.rejects(stage.admit('search', caller, signal), { code });
  await assert.rejects(stage.check('search', caller, body as BodyOf<'search'>, []), { code });
  return events;
}

test('scopes, networks, rates and budgets are events, each with its code', async () => {
  const actions = {
    KEY_RESTRICTED: 'key.refused',
    NETWORK_NOT_ALLOWED: 'key.refused',
    RATE_LIMITED: 'limit.reached',
    INSUFFICIENT_CREDITS: 'limit.reached',
  } as const;
  for (const [code, action] of Object.entries(actions)) {
    const event = { teamId: 't', action, actor: 'fc-1', address: '192.0.2.1', target: 'search', details: { code } };
    assert.deepEqual(await recorded(code as ErrorCode), Array(2).fill({ ...event, isTraceless: false }));
  }
});

test('other errors are not, and a team that must leave no trace is recorded without one', async () => {
  assert.deepEqual(await recorded('BAD_REQUEST'), []);
  const [event] = await recorded('RATE_LIMITED', { anonymous: 'forced' });
  assert.equal(event?.isTraceless, true);
  const [, anonymous] = await recorded('INSUFFICIENT_CREDITS', undefined, { enterprise: ['anon'] });
  assert.equal(anonymous?.isTraceless, true);
});

test('of a caller without a key, whose name is made of the address, no address is stored', async () => {
  const [event] = await recorded('INSUFFICIENT_CREDITS', undefined, {}, { key: 'keyless-1', isKeyless: true });
  assert.deepEqual([event?.actor, event?.address], ['keyless-1', undefined]);
});
