// Profiles, end to end: a login in a session applies to later scrapes and sessions of the same team, and nowhere else.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { jobEnd } from '../support/jobs.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const TOKEN = 'token-6f1d0c9b7a';

const LOGIN = `<script>
  localStorage.setItem('user', 'Ada');
  sessionStorage.setItem('tab', 'first');
  const opening = indexedDB.open('app');
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  opening.onsuccess = () => {
    const change = opening.result.transaction('keys', 'readwrite');
    change.objectStore('keys').put('from the database', 'key');
    change.oncomplete = () => { document.title = 'logged in'; };
  };
</script>`;

const ACCOUNT = `<p id="stored">Loading</p><script>
  const tell = (key) => {
    stored.textContent = ['local', localStorage.getItem('user'), 'tab', sessionStorage.getItem('tab'), 'database', key].join(' ');
  };
  const opening = indexedDB.open('app');
  opening.onsuccess = () => {
    if (opening.result.objectStoreNames.length === 0) return tell('none');
    const asked = opening.result.transaction('keys').objectStore('keys').get('key');
    asked.onsuccess = () => tell(asked.result);
  };
</script>`;

const shop: Site = {
  '/login': (exchange) =>
    send(exchange, page('Login', LOGIN), { headers: { 'set-cookie': `sid=${TOKEN}; HttpOnly; Path=/; Max-Age=3600` } }),
  '/account': (exchange) => {
    const isIn = exchange.headers.cookie?.includes(TOKEN) === true;
    send(exchange, page('Account', `<p>You are ${isIn ? 'known' : 'a stranger'}.</p>${ACCOUNT}`));
  },
};
const KNOWN = /You are known\.[\s\S]*local Ada tab first database from the database/;
const STRANGER = /You are a stranger\.[\s\S]*local tab database none/;

let web: Web;
let dataDir: string;
let service: RunningService;
let key: string;
let strangersKey: string;

const start = () => startServiceWith(web, { TRAWL_BROWSER: 'auto', TRAWL_DATA_DIR: dataDir });

before(async () => {
  web = await startWeb({ 'shop.test': shop });
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-profiles-'));
  service = await start();
  key = service.key;
  const env = { ...process.env, TRAWL_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'keys', 'add', '--team', 'strangers'], { env });
  strangersKey = /\bfc-[\w-]+/.exec(stdout)![0];
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown, as = key) {
  const headers = { authorization: `Bearer ${as}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(new URL(path, service.url), { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Answer };
}

interface Answer {
  id: string;
  cdpUrl: string;
  success: boolean;
  code?: string;
  error: string;
  data: { markdown: string };
}

const open = (profile: object, as = key) => ask('POST', '/v2/browser', { profile }, as);
const end = (id: string) => ask('DELETE', `/v2/browser/${id}`);

async function inSession(profile: object, work: (page: Page) => Promise<void>): Promise<void> {
  const { status, body } = await open(profile);
  assert.equal(status, 200, body.error);
  const browser = await chromium.connectOverCDP(body.cdpUrl);
  try {
    await work(browser.contexts()[0]!.pages()[0]!);
  } finally {
    await browser.close();
    assert.equal((await end(body.id)).status, 200);
  }
}

const account = (name: string, as = key) =>
  ask('POST', '/v2/scrape', { url: web.url('shop.test', '/account'), profile: { name } }, as);

async function logIn(tab: Page): Promise<void> {
  await tab.goto(web.url('shop.test', '/login'));
  await tab.waitForFunction("document.title === 'logged in'");
}

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

test('a batch loads it, too', NEEDS_BROWSER, async () => {
  const urls = [web.url('shop.test', '/account')];
  const { body } = await ask('POST', '/v2/batch/scrape', { urls, profile: { name: 'shop' } });
  const { data } = await jobEnd(service, `/v2/batch/scrape/${body.id}`);
  assert.match(String(data[0]?.markdown), /You are known\.[\s\S]*local Ada/);
});

test('neither another team nor another profile name gets it', NEEDS_BROWSER, async () => {
  assert.match((await account('shop', strangersKey)).body.data.markdown, STRANGER);
  assert.match((await account('shop2')).body.data.markdown, STRANGER);
  assert.equal((await ask('DELETE', '/v2/browser/profiles/shop', undefined, strangersKey)).status, 404);
});

test('the data folder does not contain it in readable form', NEEDS_BROWSER, async () => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.length > 0);
  for (const { parentPath, name } of files) {
    assert.ok(!(await readFile(join(parentPath, name))).includes(TOKEN), name);
  }
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
  await service.stop();
  await writeFile(join(dataDir, 'secret'), randomBytes(32));
  service = await start();
  for (const { status, body } of [await account('shop'), await open({ name: 'shop' })]) {
    assert.deepEqual([status, body.code], [500, 'PROFILE_UNREADABLE']);
  }
  assert.equal((await ask('DELETE', '/v2/interact/profiles/shop')).status, 200);
  assert.match((await account('shop')).body.data.markdown, STRANGER);
});

test('without a browser a profile is refused, with the reason', async () => {
  const other = await startServiceWith(web, { TRAWL_BROWSER: 'off' });
  try {
    const { status, body } = await other.scrape({ url: web.url('shop.test', '/account'), profile: { name: 'shop' } });
    assert.equal(status, 400);
    assert.match(String(body.error), /'profile' needs a browser/);
  } finally {
    await other.stop();
  }
});
