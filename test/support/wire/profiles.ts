// For tests of profiles: a shop to log in to, and a service whose sessions and scrapes use profiles.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { type RunningService, startServiceWith } from '../service.ts';
import { startSharedWeb } from '../shared-service.ts';
import { addTeams } from '../team-with.ts';
import { page, type Site, send } from '../web/reply.ts';
import type { Web } from '../web.ts';

export const TOKEN = 'token-6f1d0c9b7a';

export const LOGIN = `<script>
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

export const ACCOUNT = `<p id="stored">Loading</p><script>
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

export const shop: Site = {
  '/login': (exchange) =>
    send(exchange, page('Login', LOGIN), { headers: { 'set-cookie': `sid=${TOKEN}; HttpOnly; Path=/; Max-Age=3600` } }),
  '/account': (exchange) => {
    const isIn = exchange.headers.cookie?.includes(TOKEN) === true;
    send(exchange, page('Account', `<p>You are ${isIn ? 'known' : 'a stranger'}.</p>${ACCOUNT}`));
  },
};

export const STRANGER = /You are a stranger\.[\s\S]*local tab database none/;

export let web: Web;

export let dataDir: string;

export let service: RunningService;

export let key: string;

export let strangersKey: string;

export const start = () => startServiceWith(web, { TRAWL_BROWSER: 'auto', TRAWL_DATA_DIR: dataDir });

export async function ask(method: string, path: string, body?: unknown, as = key) {
  const headers = { authorization: `Bearer ${as}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(new URL(path, service.url), { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Answer };
}

export interface Answer {
  id: string;
  cdpUrl: string;
  success: boolean;
  code?: string;
  error: string;
  data: { markdown: string };
}

export const open = (profile: object, as = key) => ask('POST', '/v2/browser', { profile }, as);

export const end = (id: string) => ask('DELETE', `/v2/browser/${id}`);

export async function inSession(profile: object, work: (page: Page) => Promise<void>): Promise<void> {
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

export const account = (name: string, as = key) =>
  ask('POST', '/v2/scrape', { url: web.url('shop.test', '/account'), profile: { name } }, as);

export async function logIn(tab: Page): Promise<void> {
  await tab.goto(web.url('shop.test', '/login'));
  await tab.waitForFunction("document.title === 'logged in'");
}

/** Stops the service, does something to its folder, and starts it again. */
export async function restart(meanwhile: () => Promise<void>): Promise<void> {
  await service.stop();
  await meanwhile();
  service = await start();
}

/** Before the first test of a file, and after its last. */
export function useProfiles(): void {
  before(async () => {
    web = await startSharedWeb({ 'shop.test': shop });
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-profiles-'));
    service = await start();
    key = service.key;
    [strangersKey] = (await addTeams(dataDir, [{ name: 'strangers' }])) as [string];
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}
