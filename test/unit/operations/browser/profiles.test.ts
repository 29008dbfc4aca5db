// Locks on profiles while they may be saved, and their removal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProfileLocks, deleteBrowserProfile } from '../../../../src/operations/browser/profiles.ts';
import { callOf } from '../../../support/call.ts';

const deletion = (teamId: string, name: string) =>
  callOf<'deleteBrowserProfile'>(
    { team: { id: teamId, name: teamId }, signal: new AbortController().signal },
    { params: { name } },
  );

function createScene(...names: string[]) {
  const kept = new Set(names);
  const profileLocks = createProfileLocks();
  const profiles = {
    read: async () => undefined,
    write: async () => {},
    remove: async (teamId: string, name: string) => kept.delete(`${teamId}/${name}`),
  };
  return { kept, profileLocks, deps: { profiles, profileLocks } };
}

test('a profile is locked by one session at a time; other names and teams have their own locks', async () => {
  const { take } = createProfileLocks();
  await take('a', 'login');
  await assert.rejects(take('a', 'login'), { code: 'PROFILE_IN_USE', status: 409 });
  await take('b', 'login');
  await take('a', 'other');
  // These pairs must not share a lock although they look the same when joined.
  await take('a","b', 'c');
  await take('a', 'b","c');
});

test('releasing a lock frees it once and does not affect a later holder', async () => {
  const { take } = createProfileLocks();
  const first = await take('a', 'login');
  first.release();
  const second = await take('a', 'login');
  first.release();
  assert.deepEqual([await first.isHeld(), await second.isHeld()], [false, true]);
  await assert.rejects(take('a', 'login'), { code: 'PROFILE_IN_USE' });
});

test('a profile can be removed by its own team only', async () => {
  const { deps, kept } = createScene('a/login');
  await assert.rejects(deleteBrowserProfile(deps, deletion('b', 'login')), { code: 'PROFILE_NOT_FOUND', status: 404 });
  assert.deepEqual([...kept], ['a/login']);
  assert.deepEqual(await deleteBrowserProfile(deps, deletion('a', 'login')), { success: true });
  await assert.rejects(deleteBrowserProfile(deps, deletion('a', 'login')), { code: 'PROFILE_NOT_FOUND' });
});

test('a locked profile cannot be removed', async () => {
  const { deps, kept, profileLocks } = createScene('a/login');
  const lock = await profileLocks.take('a', 'login');
  await assert.rejects(deleteBrowserProfile(deps, deletion('a', 'login')), { code: 'PROFILE_IN_USE' });
  assert.equal(kept.size, 1);
  lock.release();
  await deleteBrowserProfile(deps, deletion('a', 'login'));
  await profileLocks.take('a', 'login');
});
