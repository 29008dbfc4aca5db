// How long results are kept: what the request says, within the operator's limit, else what is usual in the team.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRetention, shownRetention } from '../../../../src/contracts/retention.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { retentionOf } from '../../../../src/operations/team/retention.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEPS = { maxRetentionMs: 10 * DAY };
const callerOf = (retention?: string) => ({ team: { settings: { retention } } }) as Pick<Caller, 'team'>;

test('the request decides, else the team, never more than the operator allows', () => {
  assert.equal(retentionOf(DEPS, callerOf(), {}), undefined);
  assert.equal(retentionOf(DEPS, callerOf('3d'), {}), 3 * DAY);
  assert.equal(retentionOf(DEPS, callerOf('3d'), { retention: '36h' }), 36 * HOUR);
  assert.equal(retentionOf(DEPS, callerOf('90d'), {}), 10 * DAY, 'the limit may have been lowered since');
  assert.equal(retentionOf(DEPS, callerOf('3d'), { zeroDataRetention: true }), undefined);
  assert.throws(() => retentionOf(DEPS, callerOf(), { retention: '11d' }), /at most 10d/);
  assert.throws(() => retentionOf(DEPS, callerOf(), { retention: '1h', zeroDataRetention: true }), /zeroDataRetention/);
});

test('durations are hours or days', () => {
  assert.deepEqual([readRetention('12h'), readRetention('2d')], [12 * HOUR, 2 * DAY]);
  for (const text of ['', '0h', '1', 'd', '1.5d', '-1d', '10000d', '1m', '1d '])
    assert.equal(readRetention(text), undefined);
  assert.deepEqual([shownRetention(48 * HOUR), shownRetention(36 * HOUR)], ['2d', '36h']);
});
