// Several processes claim tasks of the same hosts: each host has one owner at a time, and the next one knows what it knew.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claim, claimOne, donePage, finish, OWNER, onHost, type Running } from '../../../../conformance/job-samples.ts';
import { MINUTE, START } from '../../../../conformance/samples.ts';
import { claimSome, NEEDS_POSTGRES, openClients, startShared } from './clients.ts';

const HOSTS = Array.from({ length: 20 }, (_, index) => `host-${index}.test`);

describe('hosts and their owners in Postgres', NEEDS_POSTGRES, () => {
  test('processes that claim at the same time get no task twice and share no host', async (t) => {
    const clients = await openClients(t, 4);
    const tasks = HOSTS.flatMap((host) => ['/1', '/2', '/3', '/4', '/5'].map((path) => onHost(host, path)));
    const shared = await startShared(clients, { tasks });
    const claims = await Promise.all(
      shared.map(async (running, index) => {
        const claimed = [];
        for (;;) {
          const { tasks, isOver } = await claimSome(running, `worker ${index}`);
          if (isOver) return claimed;
          claimed.push(...tasks);
        }
      }),
    );
    const all = claims.flat();
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.equal(all.length, tasks.length);
    const owners = claims.map((claimed) => new Set(claimed.map(({ host }) => host)));
    assert.equal(
      owners.reduce((sum, hosts) => sum + hosts.size, 0),
      HOSTS.length,
    );
  });

  test('a host passes on when its lease ends, with what was remembered, and the last owner learns that', async (t) => {
    const [mine, theirs] = await startShared(await openClients(t, 2), {
      tasks: [onHost('a.test', '/1'), onHost('a.test', '/2'), onHost('b.test', '/1')],
    });
    const first = await claimOne(mine!, { slots: 1 });
    assert.equal(first.host, 'a.test');
    assert.deepEqual(await mine!.store.queue.keepHosts({ 'a.test': 'slow' }, START + 2 * MINUTE, START), []);
    const memories = async ({ store, id }: Running) =>
      Object.fromEntries((await store.jobs.frontier(id, 9)).hosts.map(({ host, memory }) => [host, memory]));
    assert.deepEqual(await memories(theirs!), { 'a.test': 'slow', 'b.test': undefined });
    assert.deepEqual(await memories(mine!), { 'a.test': undefined, 'b.test': undefined });
    const other = await claim(theirs!, { slots: 5 });
    assert.deepEqual(
      other.tasks.map(({ host }) => host),
      ['b.test'],
    );
    assert.equal(other.nextAt, START + MINUTE, 'when the lease of its own task ends');
    const later = { now: START + 2 * MINUTE, leaseUntil: START + 3 * MINUTE };
    const before = { now: START + 2 * MINUTE - 1, leaseUntil: START + 9 * MINUTE };
    assert.equal((await claim(theirs!, { slots: 5, ...before })).tasks.length, 1, 'its own');
    const taken = await claim(theirs!, { slots: 5, ...later });
    assert.deepEqual([taken.tasks.length, taken.hostMemories], [2, { 'a.test': 'slow' }]);
    assert.deepEqual(await mine!.store.queue.keepHosts({ 'a.test': 'x' }, START + 9 * MINUTE, later.now), ['a.test']);
    assert.deepEqual(await theirs!.store.queue.keepHosts({ 'a.test': 'y' }, START + 9 * MINUTE, later.now), []);
  });

  test('a claim says when the lease of another process on its hosts ends', async (t) => {
    const [mine, theirs] = await startShared(await openClients(t, 2), {
      tasks: [onHost('a.test', '/1'), onHost('a.test', '/2')],
    });
    await claimOne(mine!, { leaseUntil: START + 2 * MINUTE });
    assert.deepEqual(await claim(theirs!), { tasks: [], fullHosts: [], nextAt: START + 2 * MINUTE });
    assert.deepEqual(await theirs!.store.queue.claimable({ fullHosts: [], now: START, limit: 9 }), []);
    assert.deepEqual(await mine!.store.queue.claimable({ fullHosts: [], now: START, limit: 9 }), [mine!.id]);
  });

  test('a host that is given back is free at once, unless one of its tasks is in flight', async (t) => {
    const [mine, theirs] = await startShared(await openClients(t, 2), {
      tasks: [onHost('a.test', '/1'), onHost('a.test', '/2')],
    });
    const first = await claimOne(mine!);
    await mine!.store.queue.leaveHosts({ 'a.test': 'slow' }, START);
    assert.deepEqual((await claim(theirs!)).tasks, []);
    await finish(mine!, first, donePage(first));
    await mine!.store.queue.leaveHosts({ 'a.test': 'slow' }, START);
    const taken = await claim(theirs!);
    assert.deepEqual([taken.tasks.length, taken.hostMemories], [1, { 'a.test': 'slow' }]);
    await theirs!.store.queue.release(OWNER);
    await theirs!.store.queue.leaveHosts({ 'a.test': '' }, START);
    const again = await claim(mine!);
    assert.deepEqual([again.tasks.length, again.hostMemories], [1, undefined]);
  });
});
