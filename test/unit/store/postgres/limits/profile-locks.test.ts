// One session of all processes at a time may save a browser profile.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSharedProfileLocks } from '../../../../../src/operations/browser/profiles.ts';
import { DEAD_AFTER_MS } from '../../../../../src/store/ports/process-registry.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { START } from '../../../../conformance/samples.ts';
import { openProcesses, type SharedProcess } from './processes.ts';

const inUse = { code: 'PROFILE_IN_USE', status: 409 };

function createScene(processes: SharedProcess[]) {
  const scene = { time: START };
  const clock = { now: () => scene.time };
  const locks = processes.map(({ store: { health }, limits, processId }) =>
    createSharedProfileLocks({ locks: limits.profileLocks, health, processId, clock }),
  );
  return Object.assign(scene, { take: (at: number, name = 'login', team = 'a') => locks[at]!.take(team, name) });
}

describe('profile locks of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('of all that ask at once one gets the lock, and the next one when it is released', async (t) => {
    const { take } = createScene(await openProcesses(t, 3));
    const asked = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => take(at % 3)));
    const [got, ...more] = asked.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    assert.equal(more.length, 0);
    for (const end of asked) if (end.status === 'rejected') assert.equal(end.reason.code, 'PROFILE_IN_USE');
    await Promise.all([take(0, 'other'), take(1, 'login', 'b')]);
    assert.equal(await got!.isHeld(), true);
    got!.release();
    for (;;) {
      const next = await take(2).catch((error) => assert.equal(error.code, 'PROFILE_IN_USE'));
      if (next) break;
    }
    assert.equal(await got!.isHeld(), false);
  });

  test('the lock of a dead process can be taken, and the process knows when it comes back', async (t) => {
    const processes = await openProcesses(t, 2);
    const scene = createScene(processes);
    const lost = await scene.take(0);
    scene.time += DEAD_AFTER_MS - 1;
    await processes[1]!.renew(scene.time);
    await assert.rejects(scene.take(1), inUse);
    scene.time += 1;
    const taken = await scene.take(1);
    await processes[0]!.renew(scene.time);
    assert.deepEqual([await lost.isHeld(), await taken.isHeld()], [false, true]);
    lost.release();
    await assert.rejects(scene.take(0), inUse);
  });
});
