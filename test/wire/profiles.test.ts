// Profiles, end to end: a login in a session applies to later scrapes and sessions of the same team, and nowhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { filesOf, findInFolder } from '../support/found-bytes.ts';
import { joinService } from '../support/shared-service.ts';
import {
  account,
  ask,
  dataDir,
  inSession,
  logIn,
  STRANGER,
  strangersKey,
  TOKEN,
  useProfiles,
  web,
} from '../support/wire/profiles.ts';

useProfiles();

const KNOWN = /You are known\.[\s\S]*local Ada tab first database from the database/;

test('a login in a session applies to later scrapes and sessions of the team', NEEDS_BROWSER, async () => {
  assert.match((await account('shop')).body.data.markdown, STRANGER);
  await inSession({ name: 'shop' }, logIn);
  // Two at once: those that only read need not wait.
  const answers = await Promise.all([account('shop'), account('shop')]);
  for (const { status, body } of answers) {
    assert.equal(status, 200, body.error);
    assert.match(body.data.markdown, KNOWN);
  }
  await inSession({ name: 'shop' }, async (tab) => {
    await tab.goto(web.url('shop.test', '/account'));
    await tab.waitForFunction("stored.textContent !== 'Loading'");
    assert.match(await tab.locator('body').innerText(), KNOWN);
    // The profile is saved again although another site was opened last.
    await tab.goto(web.url('plain.test'));
  });
  assert.match((await account('shop')).body.data.markdown, /You are known\.[\s\S]*local Ada/);
});

test('neither another team nor another profile name gets it', NEEDS_BROWSER, async () => {
  assert.match((await account('shop', strangersKey)).body.data.markdown, STRANGER);
  assert.match((await account('shop2')).body.data.markdown, STRANGER);
  assert.equal((await ask('DELETE', '/v2/browser/profiles/shop', undefined, strangersKey)).status, 404);
});

test('the data folder does not contain it in readable form', NEEDS_BROWSER, async () => {
  assert.ok(filesOf(dataDir).length > 0);
  assert.deepEqual(findInFolder(dataDir, [TOKEN]), []);
});

test('without a browser a profile is refused, with the reason', async () => {
  const other = await joinService(web, {});
  const { status, body } = await other.scrape({ url: web.url('shop.test', '/account'), profile: { name: 'shop' } });
  assert.equal(status, 400);
  assert.match(String(body.error), /'profile' needs a browser/);
});
