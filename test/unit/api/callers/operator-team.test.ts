import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperatorTeam } from '../../../../src/api/callers/operator-team.ts';
import type { Team } from '../../../../src/store/ports/teams/team-store.ts';

function open() {
  let stored: Team = { id: 'own', name: 'default', settings: {} };
  let reads = 0;
  let now = 1_000_000;
  const operatorTeam = createOperatorTeam({
    teams: {
      async findByName() {
        reads += 1;
        return stored;
      },
      ensureTeam: () => assert.fail('the team exists'),
    },
    clock: { now: () => now },
  });
  return {
    operatorTeam,
    reads: () => reads,
    store: (team: Team) => {
      stored = team;
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const STRICT: Team = { id: 'own', name: 'default', settings: { threatProtection: 'forced' } };

test('requests within a second ask the store once, and a change by another process applies after it', async () => {
  const { operatorTeam, reads, store, pass } = open();
  const teams = await Promise.all([operatorTeam.find(), operatorTeam.find()]);
  assert.deepEqual([teams[0]?.settings, reads()], [{}, 1]);
  store(STRICT);
  pass(999);
  assert.deepEqual((await operatorTeam.find()).settings, {});
  pass(1);
  assert.deepEqual([await operatorTeam.find(), reads()], [STRICT, 2]);
});

test('a change by this process applies to the next request', async () => {
  const { operatorTeam } = open();
  await operatorTeam.find();
  operatorTeam.apply({ id: 'other', name: 'other', settings: {} });
  operatorTeam.apply(STRICT);
  assert.equal(await operatorTeam.find(), STRICT);
});
