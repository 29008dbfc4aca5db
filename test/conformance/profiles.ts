// Every ProfileStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_PROFILE_BYTES } from '../../src/contracts/browser/profile.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { type OpenStore, START } from './samples.ts';

const teamIn = async ({ teams }: Store, name = 'default') => (await teams.ensureTeam(name, START)).id;

export function testProfileStore(adapter: string, open: OpenStore): void {
  describe(`ProfileStore on ${adapter}`, () => {
    test('small and large states come back unchanged', async (t) => {
      const store = await open(t);
      const team = await teamIn(store);
      for (const state of ['', '{}', '{"a":"ü €"}', 'x'.repeat(3_000_000), 'y'.repeat(MAX_PROFILE_BYTES)]) {
        await store.profiles.write(team, 'login', state, START);
        assert.ok((await store.profiles.read(team, 'login')) === state, `${state.length} characters`);
      }
    });

    test('an unknown name has no state', async (t) => {
      const store = await open(t);
      const team = await teamIn(store);
      await store.profiles.write(team, 'known', '{}', START);
      for (const name of ['unknown', 'Known', 'known ', '']) {
        assert.equal(await store.profiles.read(team, name), undefined);
      }
    });

    test('each name has its own state, and the last write wins', async (t) => {
      const store = await open(t);
      const team = await teamIn(store);
      await store.profiles.write(team, 'a', '1', START);
      await store.profiles.write(team, 'b', '2', START);
      await store.profiles.write(team, 'a', '3', START + 1);
      assert.deepEqual(await Promise.all(['a', 'b'].map((name) => store.profiles.read(team, name))), ['3', '2']);
    });

    test('teams cannot read, change or remove a profile of another team with the same name', async (t) => {
      const store = await open(t);
      const [own, other] = [await teamIn(store), await teamIn(store, 'stranger')];
      await store.profiles.write(own, 'login', 'ours', START);
      assert.equal(await store.profiles.read(other, 'login'), undefined);
      assert.equal(await store.profiles.remove(other, 'login'), false);
      await store.profiles.write(other, 'login', 'theirs', START);
      assert.equal(await store.profiles.remove(other, 'login'), true);
      assert.equal(await store.profiles.read(own, 'login'), 'ours');
    });

    test('a removed profile is gone, and removing it again reports false', async (t) => {
      const store = await open(t);
      const team = await teamIn(store);
      await store.profiles.write(team, 'login', 'x'.repeat(200_000), START);
      assert.equal(await store.profiles.remove(team, 'login'), true);
      assert.equal(await store.profiles.remove(team, 'login'), false);
      assert.equal(await store.profiles.read(team, 'login'), undefined);
      await store.profiles.write(team, 'login', 'new', START);
      assert.equal(await store.profiles.read(team, 'login'), 'new');
    });

    test('a state that is too large is refused, and the old one stays', async (t) => {
      const store = await open(t);
      const team = await teamIn(store);
      await store.profiles.write(team, 'login', 'small', START);
      // The limit counts bytes, not characters.
      const large = 'ü'.repeat(MAX_PROFILE_BYTES / 2 + 1);
      await assert.rejects(store.profiles.write(team, 'login', large, START), { code: 'PROFILE_TOO_LARGE' });
      assert.equal(await store.profiles.read(team, 'login'), 'small');
    });
  });
}
