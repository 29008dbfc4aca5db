// Every TeamStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE, type OpenStore, START } from './samples.ts';

const BY = { actor: 'operator', address: '192.0.2.1', at: START };
const key = (hash: string, prefix: string, team = 'default') => ({ hash, prefix, team });

export function testTeamStore(adapter: string, open: OpenStore): void {
  describe(`TeamStore on ${adapter}`, () => {
    test('a first key is added once, however many ask for it at the same time', async (t) => {
      const { teams } = await open(t);
      const added = await Promise.all(
        ['a', 'b', 'c'].map((name) => teams.addFirstKey(key(`hash-${name}`, `fc-${name}`), BY)),
      );
      assert.equal(added.filter((each) => each !== undefined).length, 1);
      assert.equal((await teams.listKeys()).length, 1);
    });

    test('a team is created once and keeps its id', async (t) => {
      const { teams } = await open(t);
      const first = await teams.ensureTeam('default', START);
      assert.equal(first.name, 'default');
      assert.deepEqual(await teams.ensureTeam('default', START + 1), first);
      assert.notEqual((await teams.ensureTeam('other', START)).id, first.id);
    });

    test('a key finds its team, an unknown key finds nothing', async (t) => {
      const { teams } = await open(t);
      const team = await teams.ensureTeam('default', START);
      const { id, ...added } = await teams.addKey(key('hash-a', 'fc-aaaa'), BY);
      assert.deepEqual(added, {
        prefix: 'fc-aaaa',
        teamId: team.id,
        team: 'default',
        label: null,
        limits: {},
        createdAt: START,
        lastUsedAt: null,
        expiresAt: null,
        previousUntil: null,
      });
      const owner = { team, key: 'fc-aaaa', keyId: id, limits: {}, expiresAt: null };
      assert.deepEqual(await teams.findByKey('hash-a', START), owner);
      assert.equal(await teams.findByKey('hash-b', START), undefined);
    });

    test('what is set for a team and a key comes with every request', async (t) => {
      const { teams } = await open(t);
      const { id } = await teams.ensureTeam('default', START);
      const limits = { formats: ['markdown' as const] };
      const added = await teams.addKey({ ...key('hash-a', 'fc-aaaa'), label: 'laptop', limits }, BY);
      const settings = { plan: 'hobby', monthlyCredits: null };
      assert.deepEqual(await teams.changeTeam(id, settings, BY), { id, name: 'default', settings });
      const owner = await teams.findByKey('hash-a', START);
      assert.deepEqual([owner?.team.settings, owner?.limits], [settings, limits]);
      const changed = await teams.changeKey(added, { label: null }, BY);
      assert.deepEqual(changed, { ...added, label: null, lastUsedAt: START });
      const foreign = { id: added.id, teamId: 'another team' };
      assert.equal(await teams.changeKey(foreign, { label: 'stolen' }, BY), undefined);
      assert.equal(await teams.rotateKey(foreign, { hash: 'hash-b', previousUntil: START }, BY), undefined);
      assert.equal(await teams.removeKey(foreign, BY), undefined);
      assert.deepEqual(await teams.removeKey(added, BY), changed);
      assert.equal(await teams.findByKey('hash-a', START), undefined);
    });

    test('a key is valid until it expires', async (t) => {
      const { teams } = await open(t);
      await teams.addKey({ ...key('hash-a', 'fc-aaaa'), expiresAt: START + MINUTE }, BY);
      assert.equal((await teams.findByKey('hash-a', START + MINUTE - 1))?.key, 'fc-aaaa');
      assert.equal(await teams.findByKey('hash-a', START + MINUTE), undefined);
    });

    test('a key for a team that does not exist creates the team', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa', 'new'), BY);
      assert.deepEqual((await teams.findByKey('hash-a', START))?.team, await teams.ensureTeam('new', START));
    });

    test('the same key cannot be added twice, and the refusal changes nothing', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa'), BY);
      await assert.rejects(teams.addKey(key('hash-a', 'fc-bbbb', 'other'), BY));
      assert.deepEqual(
        (await teams.listKeys()).map(({ prefix, team }) => [prefix, team]),
        [['fc-aaaa', 'default']],
      );
    });

    test('keys are listed oldest first, with their teams', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-b', 'fc-bbbb', 'other'), { ...BY, at: START + 1 });
      await teams.addKey(key('hash-a', 'fc-aaaa'), BY);
      assert.deepEqual(
        (await teams.listKeys()).map(({ prefix, team }) => [prefix, team]),
        [
          ['fc-aaaa', 'default'],
          ['fc-bbbb', 'other'],
        ],
      );
    });

    test('the last use of a key is recorded at most once a minute', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa'), BY);
      const lastUse = async (now: number) => {
        await teams.findByKey('hash-a', now);
        return (await teams.listKeys())[0]!.lastUsedAt;
      };
      assert.equal(await lastUse(START), START);
      assert.equal(await lastUse(START + MINUTE - 1), START);
      assert.equal(await lastUse(START + MINUTE), START + MINUTE);
    });

    test('a revoked key is gone at once', async (t) => {
      const { teams } = await open(t);
      const revoked = await teams.addKey(key('hash-a', 'fc-aaaa'), BY);
      await teams.addKey(key('hash-b', 'fc-bbbb'), BY);
      await teams.removeKey(revoked, BY);
      assert.equal(await teams.findByKey('hash-a', START), undefined);
      assert.ok(await teams.findByKey('hash-b', START));
      assert.deepEqual(await teams.listKeyHashes(), ['hash-b']);
      assert.deepEqual(await teams.findValid(['hash-a', 'hash-b', 'hash-c'], START), ['hash-b']);
    });

    test('a rotated key has two secrets for a while, and never three', async (t) => {
      const { teams } = await open(t);
      const added = await teams.addKey({ ...key('hash-a', 'fc-aaaa'), limits: { formats: ['markdown'] } }, BY);
      const valid = async (now: number) => teams.findValid(['hash-a', 'hash-b', 'hash-c'], now);
      const rotated = await teams.rotateKey(added, { hash: 'hash-b', previousUntil: START + MINUTE }, BY);
      assert.deepEqual(rotated, { ...added, previousUntil: START + MINUTE });
      assert.deepEqual((await teams.listKeyHashes()).sort(), ['hash-a', 'hash-b']);
      assert.deepEqual(await valid(START + MINUTE - 1), ['hash-a', 'hash-b']);
      assert.deepEqual(await valid(START + MINUTE), ['hash-b']);
      assert.equal((await teams.findByKey('hash-a', START))?.keyId, added.id);
      await teams.rotateKey(added, { hash: 'hash-c', previousUntil: START + MINUTE }, BY);
      assert.deepEqual(await valid(START), ['hash-b', 'hash-c']);
      await teams.removeKey(added, BY);
      assert.deepEqual(await valid(START), []);
    });

    test('the last key without restrictions stays, if that is asked for', async (t) => {
      const { teams } = await open(t);
      const last = await teams.addKey({ ...key('hash-a', 'fc-aaaa'), limits: { domains: [] } }, BY);
      await teams.addKey({ ...key('hash-b', 'fc-bbbb'), limits: { domains: ['example.com'] } }, BY);
      await teams.addKey({ ...key('hash-c', 'fc-cccc'), expiresAt: START + MINUTE }, BY);
      await teams.addKey(key('hash-d', 'fc-dddd', 'other'), BY);
      const kept = { ...last, unlessLast: true };
      assert.equal(await teams.removeKey(kept, BY), 'last');
      assert.equal(await teams.changeKey(kept, { expiresAt: START + MINUTE }, BY), 'last');
      assert.equal(await teams.changeKey(kept, { limits: { formats: ['html'] } }, BY), 'last');
      assert.deepEqual(await teams.changeKey(kept, { label: 'mine' }, BY), { ...last, label: 'mine' });
      await teams.addKey(key('hash-e', 'fc-eeee'), BY);
      assert.notEqual(await teams.removeKey(kept, BY), 'last');
    });

    test('a team is created once, with its settings', async (t) => {
      const { teams } = await open(t);
      const team = (await teams.createTeam('lab', { plan: 'hobby' }, BY))!;
      assert.deepEqual(team, { id: team.id, name: 'lab', settings: { plan: 'hobby' } });
      assert.equal(await teams.createTeam('lab', {}, BY), undefined);
      assert.deepEqual(await teams.find(team.id), team);
      assert.equal(await teams.changeTeam('nobody', {}, BY), undefined);
    });

    test('every change is in the audit log, with who made it and from where', async (t) => {
      const { teams, audit } = await open(t);
      const { id: teamId } = (await teams.createTeam('lab', { plan: 'hobby' }, BY))!;
      await teams.changeTeam(teamId, { plan: 'scale', networks: ['10.0.0.0/8'] }, BY);
      const added = await teams.addKey({ ...key('hash-a', 'fc-aaaa', 'lab'), label: 'laptop' }, BY);
      await teams.changeKey(added, { limits: { formats: ['markdown'] }, label: null }, BY);
      await teams.rotateKey(added, { hash: 'hash-b', previousUntil: START + MINUTE }, BY);
      await teams.removeKey(added, BY);
      await teams.removeKey(added, BY);
      const events = (await audit.list({ teamId, limit: 10 })).reverse();
      assert.deepEqual(
        events.map(({ action, target, details }) => [action, target, details]),
        [
          ['team.created', 'lab', undefined],
          ['team.changed', 'lab', { fields: 'plan, networks' }],
          ['key.created', 'fc-aaaa', { label: 'laptop', restricted: false }],
          ['key.changed', 'fc-aaaa', { fields: 'limits, label' }],
          ['key.rotated', 'fc-aaaa', { graceSeconds: 60 }],
          ['key.revoked', 'fc-aaaa', undefined],
        ],
      );
      for (const event of events)
        assert.deepEqual([event.actor, event.address, event.at], [BY.actor, BY.address, BY.at]);
    });
  });
}
