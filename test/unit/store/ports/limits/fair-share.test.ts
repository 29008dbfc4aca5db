// Shares of what several want: nobody gets more than they want, and what cannot be divided goes round.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairShare } from '../../../../../src/store/ports/limits/fair-share.ts';

const shares = (limit: number, wants: number[], turn = 0): number[] => {
  const sharers = wants.map((wanted, at) => ({ id: `p${at}`, wanted }));
  return sharers.map(({ id }) => fairShare(limit, sharers, id, turn));
};

test('those who want little get it, and the others share the rest', () => {
  assert.deepEqual(shares(10, [1, 2, 3]), [1, 2, 3]);
  assert.deepEqual(shares(10, [2, 100, 100]), [2, 4, 4]);
  assert.deepEqual(shares(10, [0, 100]), [0, 10]);
  assert.deepEqual(shares(0, [5, 5]), [0, 0]);
  assert.deepEqual(shares(-3, [5]), [0]);
});

test('what cannot be divided goes to some, each in turn', () => {
  const given = [0, 0, 0];
  for (let turn = 0; turn < 6; turn += 1) {
    const now = shares(2, [9, 9, 9], turn);
    assert.equal(now[0]! + now[1]! + now[2]!, 2);
    now.forEach((share, at) => {
      given[at]! += share;
    });
  }
  assert.deepEqual(given, [4, 4, 4]);
});

test('all shares together are what is wanted, or everything there is', () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 500; round += 1) {
    const wants = Array.from({ length: 1 + next(6) }, () => next(12));
    const limit = next(30);
    const given = shares(limit, wants, round);
    const total = given.reduce((sum, share) => sum + share, 0);
    const wanted = wants.reduce((sum, want) => sum + want, 0);
    assert.equal(total, Math.min(limit, wanted), `round ${round}: ${limit} for ${wants} is ${given}`);
    assert.ok(given.every((share, at) => share <= wants[at]!));
  }
});
