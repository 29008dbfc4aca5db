// Every TeamStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE, type OpenStore, START } from './samples.ts';

const key = (hash: string, prefix: string, team = 'default', now = START) => ({ hash, prefix, team, now });

export function testTeamStore(adapter: string, open: OpenStore): void {
  describe(`TeamStore on ${adapter}`, () => {
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
      const { id, ...added } = await teams.addKey(key('hash-a', 'fc-aaaa'));
      assert.deepEqual(added, {
        prefix: 'fc-aaaa',
        team: 'default',
        label: null,
        limits: {},
        createdAt: START,
        lastUsedAt: null,
        expiresAt: null,
      });
      assert.deepEqual(await teams.findByKey('hash-a', START), { team, key: 'fc-aaaa', keyId: id, limits: {} });
      assert.equal(await teams.findByKey('hash-b', START), undefined);
    });

    test('what is set for a team and a key comes with every request', async (t) => {
      const { teams } = await open(t);
      const { id } = await teams.ensureTeam('default', START);
      const limits = { formats: ['markdown' as const] };
      const added = await teams.addKey({ ...key('hash-a', 'fc-aaaa'), label: 'laptop', limits });
      const settings = { plan: 'hobby', monthlyCredits: null };
      assert.deepEqual(await teams.changeTeam(id, settings), { id, name: 'default', settings });
      const owner = await teams.findByKey('hash-a', START);
      assert.deepEqual([owner?.team.settings, owner?.limits], [settings, limits]);
      assert.equal((await teams.changeKey(added.id, id, { label: null }))?.limits.formats?.[0], 'markdown');
      assert.equal(await teams.changeKey(added.id, 'another team', { label: 'stolen' }), undefined);
      assert.equal(await teams.removeKey(added.id, 'another team'), undefined);
      assert.equal((await teams.removeKey(added.id, id))?.prefix, 'fc-aaaa');
      assert.equal(await teams.findByKey('hash-a', START), undefined);
    });

    test('a key is valid until it expires', async (t) => {
      const { teams } = await open(t);
      await teams.addKey({ ...key('hash-a', 'fc-aaaa'), expiresAt: START + MINUTE });
      assert.equal((await teams.findByKey('hash-a', START + MINUTE - 1))?.key, 'fc-aaaa');
      assert.equal(await teams.findByKey('hash-a', START + MINUTE), undefined);
    });

    test('a key for a team that does not exist creates the team', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa', 'new'));
      assert.deepEqual((await teams.findByKey('hash-a', START))?.team, await teams.ensureTeam('new', START));
    });

    test('the same key cannot be added twice, and the refusal changes nothing', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa'));
      await assert.rejects(teams.addKey(key('hash-a', 'fc-bbbb', 'other')));
      assert.deepEqual(
        (await teams.listKeys()).map(({ prefix, team }) => [prefix, team]),
        [['fc-aaaa', 'default']],
      );
    });

    test('keys are listed oldest first, with their teams', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-b', 'fc-bbbb', 'other', START + 1));
      await teams.addKey(key('hash-a', 'fc-aaaa', 'default', START));
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
      await teams.addKey(key('hash-a', 'fc-aaaa'));
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
      await teams.addKey(key('hash-a', 'fc-aaaa'));
      await teams.addKey(key('hash-b', 'fc-bbbb'));
      assert.deepEqual(
        (await teams.revokeKeys('fc-a')).map(({ prefix }) => prefix),
        ['fc-aaaa'],
      );
      assert.equal(await teams.findByKey('hash-a', START), undefined);
      assert.ok(await teams.findByKey('hash-b', START));
      assert.deepEqual(await teams.listKeyHashes(), ['hash-b']);
    });

    test('a prefix that several keys share lists them and revokes none', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa'));
      await teams.addKey(key('hash-b', 'fc-aabb'));
      assert.deepEqual(
        (await teams.revokeKeys('fc-aa')).map(({ prefix }) => prefix),
        ['fc-aaaa', 'fc-aabb'],
      );
      assert.equal((await teams.listKeys()).length, 2);
    });

    test('an empty or unknown prefix revokes nothing, and no character in it is a wildcard', async (t) => {
      const { teams } = await open(t);
      await teams.addKey(key('hash-a', 'fc-aaaa'));
      for (const prefix of ['', 'fc-b', 'fc-aaaab', '%', 'fc_', 'FC-A', '*']) {
        assert.deepEqual(await teams.revokeKeys(prefix), [], prefix);
      }
      assert.equal((await teams.listKeys()).length, 1);
    });
  });
}
