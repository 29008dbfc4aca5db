// Security events: written beside the request, repetitions counted, and bounded for each team.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { auditTarget } from '../../../../src/contracts/team/audit-target.ts';
import { createSecurityLog, type SecurityEvent } from '../../../../src/policy/audit/security-log.ts';
import type { AuditEvent } from '../../../../src/store/ports/teams/audit-log.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const MINUTE = 60_000;
const blocked = (more: Partial<SecurityEvent> = {}): SecurityEvent => ({
  teamId: 'team',
  action: 'threat.blocked',
  actor: 'fc-12345678',
  address: '192.0.2.1',
  target: auditTarget('evil.test'),
  details: { rule: 'blacklist' },
  ...more,
});

function open(t: TestContext, addAll?: (events: readonly AuditEvent[]) => Promise<void>) {
  const testClock = createTestClock(1_000_000);
  /** Minute by minute, because what sleeps again has to wake again. */
  const turn = async (ms: number) => {
    for (let left = ms; left > 0; left -= MINUTE) {
      testClock.set(testClock.now() + Math.min(left, MINUTE));
      await setImmediate();
    }
  };
  const clock = { ...testClock, turn };
  const rows: AuditEvent[] = [];
  const errors: unknown[] = [];
  const security = createSecurityLog({
    audit: { addAll: addAll ?? (async (events) => void rows.push(...events)) },
    health: { persist: (call) => call() },
    clock,
    log: { error: (...args: unknown[]) => void errors.push(args) } as never,
  });
  t.after(() => security.close());
  return { clock, rows, errors, ...security };
}

test('the first event is written at once, with everything that is known', (t) => {
  const { record, rows } = open(t);
  record(blocked());
  const { actor, address, target, details } = blocked();
  assert.deepEqual(rows, [
    { at: 1_000_000, teamId: 'team', actor, action: 'threat.blocked', address, target, details },
  ]);
});

test('repetitions become one row a minute, as long as they go on', async (t) => {
  const { record, rows, clock } = open(t);
  for (let i = 0; i < 500; i++) record(blocked());
  assert.equal(rows.length, 1);
  await clock.turn(MINUTE);
  assert.deepEqual([rows.length, rows[1]?.details], [2, { rule: 'blacklist', repetitions: 499 }]);
  record(blocked());
  await clock.turn(MINUTE - 1);
  assert.equal(rows.length, 2);
  await clock.turn(1);
  assert.deepEqual([rows.length, rows[2]?.details?.repetitions], [3, 1]);
  await clock.turn(10 * MINUTE);
  assert.equal(rows.length, 3);
  record(blocked());
  assert.deepEqual([rows.length, rows[3]?.details], [4, { rule: 'blacklist' }]);
});

test('closing writes what was counted so far, and nothing afterwards', async (t) => {
  const { record, rows, close } = open(t);
  for (let i = 0; i < 3; i++) record(blocked());
  await close();
  record(blocked({ target: auditTarget('late.test') }));
  assert.deepEqual(
    rows.map(({ details }) => details?.repetitions),
    [undefined, 2],
  );
});

test('a team cannot fill the log, and the next row says how much was left out', async (t) => {
  const { record, rows, clock } = open(t);
  for (let i = 0; i < 1_000; i++) record(blocked({ target: auditTarget(`${i}.test`) }));
  await setImmediate();
  assert.equal(rows.length, 30);
  record(blocked({ teamId: 'other' }));
  record(blocked({ action: 'limit.reached' }));
  await setImmediate();
  assert.equal(rows.length, 32);
  await clock.turn(MINUTE);
  record(blocked({ target: auditTarget('later.test') }));
  assert.deepEqual([rows.length, rows.at(-1)?.details?.omittedBefore], [33, 970]);
});

test('counts of a team that has used up its rows are kept until it has some again', async (t) => {
  const { record, rows, clock } = open(t);
  for (let i = 0; i < 30; i++) record(blocked({ target: auditTarget(`${i}.test`) }));
  for (let i = 0; i < 30; i++) record(blocked({ target: auditTarget(`${i}.test`) }));
  await clock.turn(40 * MINUTE);
  const counts = rows.slice(30).map(({ details }) => details?.repetitions);
  assert.deepEqual(counts, Array(30).fill(1));
});

test('a request that must leave no trace leaves neither its key nor its address nor its host', (t) => {
  const { record, rows } = open(t);
  record(blocked({ isTraceless: true }));
  assert.deepEqual(rows, [
    { at: 1_000_000, teamId: 'team', actor: 'anonymous', action: 'threat.blocked', details: { rule: 'blacklist' } },
  ]);
});

test('a failing store is logged and harms nobody', async (t) => {
  const { record, errors, close } = open(t, () => Promise.reject(new Error('damaged')));
  record(blocked());
  await close();
  assert.equal(errors.length, 1);
});
