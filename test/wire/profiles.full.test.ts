// Profiles in a batch, in several sessions, under odd names, and after the secret of the server was lost.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { jobEnd } from '../support/jobs.ts';
import {
  account,
  ask,
  dataDir,
  end,
  inSession,
  logIn,
  open,
  restart,
  STRANGER,
  service,
  useProfiles,
  web,
} from '../support/wire/profiles.ts';

useProfiles();

test('a batch loads it, too', NEEDS_BROWSER, async () => {
  await inSession({ name: 'shop' }, logIn);
  const urls = [web.url('shop.test', '/account')];
  const { body } = await ask('POST', '/v2/batch/scrape', { urls, profile: { name: 'shop' } });
  const { data } = await jobEnd(service, `/v2/batch/scrape/${body.id}`);
  assert.match(String(data[0]?.markdown), /You are known\.[\s\S]*local Ada/);
});

test('one session at a time may save a profile; others may read it, and change nothing', NEEDS_BROWSER, async () => {
  const saver = await open({ name: 'shared' });
  assert.equal(saver.status, 200);
  const second = await open({ name: 'shared' });
  assert.deepEqual([second.status, second.body.code, second.body.success], [409, 'PROFILE_IN_USE', false]);
  assert.match(second.body.error, /saveChanges: false/);
  assert.equal((await ask('DELETE', '/v2/interact/profiles/shared')).status, 409);
  await inSession({ name: 'shared', saveChanges: false }, logIn);
  assert.equal((await end(saver.body.id)).status, 200);
  assert.match((await account('shared')).body.data.markdown, STRANGER);
  const next = await open({ name: 'shared' });
  assert.equal(next.status, 200);
  await end(next.body.id);
});

test('a removed profile is gone, whatever characters are in its name', NEEDS_BROWSER, async () => {
  const name = `ü/ ${'€'.repeat(124)}`;
  await inSession({ name }, logIn);
  const path = `/v2/browser/profiles/${encodeURIComponent(name)}`;
  assert.deepEqual(await ask('DELETE', path), { status: 200, body: { success: true } });
  const again = await ask('DELETE', path);
  assert.deepEqual([again.status, again.body.code], [404, 'PROFILE_NOT_FOUND']);
  assert.match((await account(name)).body.data.markdown, STRANGER);
});

test('without the secret it was saved with, a profile is an error in scrapes and sessions', NEEDS_BROWSER, async () => {
  await restart(() => writeFile(join(dataDir, 'secret'), randomBytes(32)));
  for (const { status, body } of [await account('shop'), await open({ name: 'shop' })]) {
    assert.deepEqual([status, body.code], [500, 'PROFILE_UNREADABLE']);
  }
  assert.equal((await ask('DELETE', '/v2/interact/profiles/shop')).status, 200);
  assert.match((await account('shop')).body.data.markdown, STRANGER);
});
