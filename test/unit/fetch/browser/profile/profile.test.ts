// Browser profiles: state is saved from one context and restored into another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { applyProfile, closeTabs, originsOf, readProfile } from '../../../../../src/fetch/browser/profile/profile.ts';
import { noBrowser, servePages } from '../../../../support/browser/serve-pages.ts';

const ALL = `<script>
  document.cookie = 'plain=1; max-age=1000';
  document.cookie = 'session=2';
  localStorage.setItem('login', 'kept');
  sessionStorage.setItem('step', '3');
  sessionStorage.setItem('key', 'also kept');
  const opening = indexedDB.open('app', 2);
  opening.onupgradeneeded = () => opening.result.createObjectStore('users', { keyPath: 'id' });
  opening.onsuccess = () => {
    const change = opening.result.transaction('users', 'readwrite');
    change.objectStore('users').put({ id: 7, since: new Date(86400000), name: 'Ada' });
    change.oncomplete = () => { document.title = 'stored'; };
  };
</script>`;

const TELL = `<script>
  const opening = indexedDB.open('app');
  opening.onsuccess = () => {
    const { version, objectStoreNames } = opening.result;
    const tell = (user) => {
      globalThis.told = {
        cookie: document.cookie.split('; ').sort(),
        local: localStorage.getItem('login'),
        session: [sessionStorage.getItem('step'), sessionStorage.getItem('key')],
        user: user && [version, user.name, user.since.getTime()],
        history: history.length,
      };
    };
    if (objectStoreNames.length === 0) return tell();
    const asked = opening.result.transaction('users').objectStore('users').get(7);
    asked.onsuccess = () => tell(asked.result);
  };
</script>`;

const LARGE = `<script>
  localStorage.setItem('login', 'kept');
  const opening = indexedDB.open('large');
  opening.onupgradeneeded = () => opening.result.createObjectStore('all');
  opening.onsuccess = () => {
    const change = opening.result.transaction('all', 'readwrite');
    change.objectStore('all').put('x'.repeat(21 * 1024 * 1024), 'key');
    change.oncomplete = () => { document.title = 'stored'; };
  };
</script>`;

const site = servePages({
  '/all': (_, response) => {
    response.setHeader('set-cookie', 'hidden=0; HttpOnly; Path=/').setHeader('content-type', 'text/html').end(ALL);
  },
  '/tell': TELL,
  '/large': LARGE,
  '/empty': '',
  // This page forges what scripts read from it.
  '/liar': `<script>
    sessionStorage.setItem('true', '1');
    JSON.stringify = () => '{"origin":"http://bank.test","items":[{"name":"a","value":"b"}]}';
    Storage.prototype.getItem = () => 'false';
  </script>`,
});

/** In a context that allows more pages. */
async function openTab(path = '/empty'): Promise<Page> {
  const first = await site.open('/empty');
  const context = await first.context().browser()!.newContext();
  await first.context().close();
  const page = await context.newPage();
  if (path !== '/empty') await page.goto(site.base() + path);
  return page;
}

async function stored(path: string): Promise<BrowserContext> {
  const page = await openTab(path);
  await page.waitForFunction("document.title === 'stored'");
  return page.context();
}

const save = async (context: BrowserContext) =>
  readProfile(context, ['http://refused.test:6000', site.base()], await closeTabs(context));

async function reportedWith(state: string | undefined, target?: URL) {
  const page = await openTab();
  if (state !== undefined) await applyProfile(page.context(), page, state, target);
  await page.goto(`${site.base()}/tell`);
  const reported = await (await page.waitForFunction('globalThis.told')).jsonValue();
  await page.context().close();
  return reported as Record<string, unknown>;
}

const OPTIONS = { skip: noBrowser };

test('cookies, local and session storage and databases are restored in another context', OPTIONS, async () => {
  const { state, leftOut } = await save(await stored('/all'));
  assert.deepEqual([leftOut, originsOf(state)], [[], [site.base()]]);
  assert.deepEqual(
    JSON.parse(state)
      .cookies.map(({ name, httpOnly }: { name: string; httpOnly: boolean }) => [name, httpOnly])
      .sort(),
    [
      ['hidden', true],
      ['plain', false],
      ['session', false],
    ],
  );
  const { history, ...reported } = await reportedWith(state);
  assert.deepEqual(reported, {
    cookie: ['plain=1', 'session=2'],
    local: 'kept',
    session: ['3', 'also kept'],
    user: [2, 'Ada', 86_400_000],
  });
  const plain = await reportedWith(undefined);
  assert.deepEqual([plain.local, plain.history], [null, history], 'the history reveals how the tab got there');
});

test('a scrape restores the origin of its target first, and only some of the others', OPTIONS, async () => {
  const origins = Array.from({ length: 30 }, (_, at) => ({
    origin: `http://${at}.elsewhere.test`,
    localStorage: [{ name: 'a', value: 'b' }],
  }));
  const near = [
    { origin: 'http://id.shop.test', localStorage: [{ name: 'a', value: 'near' }] },
    { origin: site.base(), localStorage: [{ name: 'login', value: 'the target' }] },
  ];
  const all = { cookies: [], origins: [...origins, ...near], sessionStorage: [] };
  const reported = await reportedWith(JSON.stringify(all), new URL(site.base()));
  assert.equal(reported.local, 'the target');

  const page = await openTab();
  await applyProfile(page.context(), page, JSON.stringify(all), new URL('http://www.shop.test/cart'));
  const restored = (await page.context().storageState()).origins.map(({ origin }) => origin);
  await page.context().close();
  assert.ok(restored.includes('http://id.shop.test'));
  assert.ok(restored.length < 15, `${restored.length} origins`);
});

test('a database over the size limit is left out and named; the rest is saved', OPTIONS, async () => {
  const { state, leftOut } = await save(await stored('/large'));
  assert.deepEqual(leftOut, [site.base()]);
  assert.ok(state.length < 10_000);
  assert.deepEqual(JSON.parse(state).origins[0].localStorage, [{ name: 'login', value: 'kept' }]);
});

test('a page cannot forge the saved state of other origins', OPTIONS, async () => {
  const page = await openTab('/liar');
  assert.deepEqual(await closeTabs(page.context()), [{ origin: site.base(), items: [{ name: 'true', value: '1' }] }]);
});

test('a state that the browser rejects is an error that says what to do', OPTIONS, async () => {
  const page = await openTab();
  const wrong = JSON.stringify({ cookies: [{ name: 'a', value: 'b' }], origins: [], sessionStorage: [] });
  await assert.rejects(applyProfile(page.context(), page, wrong), {
    code: 'PROFILE_UNREADABLE',
    message: /create it again/,
  });
});
