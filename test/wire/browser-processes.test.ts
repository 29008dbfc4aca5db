// Two processes on one database, one of which has the browsers: sessions and pages are reached through the other one.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { createService, type Service } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config/settings.ts';
import { hasPostgres, openDatabase } from '../conformance/open-postgres.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { PROGRAM_ENV } from '../support/program.ts';
import { reply } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const HOST = 'harbour.test';
const KEY = 'the-key-of-the-operator';
const PAGE = '<title>Nets</title><p id="p">before</p><script>p.textContent = "made by a script"</script>';

interface Session {
  id: string;
  cdpUrl: string;
  liveViewUrl: string;
  interactiveLiveViewUrl: string;
}

describe('a process with browsers and one without', {
  skip: NEEDS_BROWSER.skip || (!hasPostgres && 'no PostgreSQL'),
}, () => {
  let web: Web;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let front: Service;
  let back: Service;
  const folders: string[] = [];
  let sent: Record<string, unknown> = {};

  const start = async (settings: Record<string, string>): Promise<Service> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trawl-data-'));
    folders.push(dataDir);
    const env = {
      ...PROGRAM_ENV,
      ...{ TRAWL_PORT: '0', TRAWL_LOG_LEVEL: 'silent', TRAWL_INDEX_MANUAL: 'off', TRAWL_KEYLESS_PROVIDERS: 'off' },
      ...{ TRAWL_DATA_DIR: dataDir, TRAWL_DATABASE_URL: database.url, TRAWL_SECRET: 's'.repeat(40) },
      ...{ TRAWL_API_KEY: KEY, TRAWL_MAX_SESSIONS: '2', TRAWL_DATABASE_CONNECTIONS: '4' },
      ...web.settings,
      ...settings,
    };
    return createService(readConfig(env));
  };
  const ask = async (service: Service, path: string, init: RequestInit & { json?: unknown } = {}) => {
    const headers = {
      authorization: `Bearer ${KEY}`,
      ...(init.json !== undefined && { 'content-type': 'application/json' }),
    };
    const body = init.json === undefined ? init.body : JSON.stringify(init.json);
    const response = await fetch(new URL(path, service.url), { headers, ...init, body });
    // biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape.
    return { status: response.status, body: (await response.json()) as any };
  };
  const post = (service: Service, path: string, json: unknown) => ask(service, path, { method: 'POST', json });
  const open = async (): Promise<Session> => {
    const { status, body } = await post(front, '/v2/browser', {});
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const end = (id: string) => ask(front, `/v2/browser/${id}`, { method: 'DELETE' });

  before(async () => {
    web = await startWeb({
      [HOST]: {
        '/': (exchange) => {
          sent = exchange.headers;
          return reply(PAGE)(exchange);
        },
      },
    });
    database = await openDatabase();
    back = await start({ TRAWL_ROLE: 'browser', TRAWL_BROWSER: 'auto', TRAWL_PROCESS_NAME: 'back' });
    front = await start({ TRAWL_ROLE: 'api', TRAWL_BROWSER: 'off', TRAWL_PROCESS_NAME: 'front' });
  });
  after(async () => {
    await Promise.all([front?.close(), back?.close()]);
    await database?.drop();
    await web?.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  test('a page is rendered by the process that has browsers, with the headers and actions of the caller', async () => {
    const { status, body } = await post(front, '/v2/scrape', {
      url: web.url(HOST),
      formats: ['markdown', 'screenshot'],
      headers: { 'x-caller': 'harbour master' },
      actions: [{ type: 'executeJavascript', script: 'document.title + "!"' }, { type: 'screenshot' }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.data.markdown, /made by a script/);
    assert.deepEqual(
      body.data.actions.javascriptReturns.map(({ value }: { value: unknown }) => value),
      ['Nets!'],
    );
    assert.equal(sent['x-caller'], 'harbour master');
    for (const url of [body.data.screenshot, body.data.actions.screenshots[0]]) {
      const picture = await fetch(url);
      assert.equal(picture.headers.get('content-type'), 'image/png');
      assert.ok((await picture.arrayBuffer()).byteLength > 100);
    }
  });

  test('the failure of a page comes back as it was', async () => {
    const { body } = await post(front, '/v2/scrape', {
      url: web.url(HOST),
      actions: [{ type: 'click', selector: '#nothing' }],
      timeout: 10_000,
    });
    assert.equal(body.code, 'SCRAPE_ACTION_ERROR', JSON.stringify(body));
    assert.match(body.error, /#nothing/);
  });

  test('a session is opened, listed, driven, watched and ended through the process without browsers', async () => {
    const session = await open();
    assert.ok(session.cdpUrl.startsWith(front.url.replace('http', 'ws')), session.cdpUrl);
    const listed = await ask(front, '/v2/browser');
    assert.deepEqual(
      listed.body.sessions.map(({ id, status }: { id: string; status: string }) => [id, status]),
      [[session.id, 'active']],
    );
    const version = await fetch(`${session.cdpUrl.replace(/^ws/, 'http')}/json/version`);
    assert.equal(((await version.json()) as { webSocketDebuggerUrl: string }).webSocketDebuggerUrl, session.cdpUrl);

    const driven = await chromium.connectOverCDP(session.cdpUrl);
    const page = driven.contexts()[0]!.pages()[0] ?? (await driven.contexts()[0]!.newPage());
    await page.goto(web.url(HOST));
    assert.equal(await page.textContent('#p'), 'made by a script');
    const large = 'x'.repeat(3_000_000);
    assert.equal(await page.evaluate((text) => text.length, large), large.length);

    for (const [url, mode] of [
      [session.liveViewUrl, 'view'],
      [session.interactiveLiveViewUrl, 'control'],
    ] as const) {
      const view = await fetch(url);
      assert.equal(view.status, 200);
      assert.match(await view.text(), new RegExp(`data-mode="${mode}"`));
    }
    const viewer = new WebSocket(session.liveViewUrl.replace(/^http/, 'ws'));
    const first = await new Promise<string>((resolve, reject) => {
      viewer.on('error', reject).once('message', (data) => resolve(String(data)));
    });
    assert.ok(first.length > 0);
    const closed = new Promise<number>((resolve) => viewer.on('close', (code) => resolve(code)));

    const { body } = await end(session.id);
    assert.equal(body.success, true);
    assert.equal(await closed, 1000);
    await driven.close();
    assert.equal((await ask(front, `/v2/browser/${session.id}`)).body.status, 'destroyed');
    assert.equal((await ask(front, '/v2/browser/no-such-session')).status, 404);
    assert.equal((await fetch(session.liveViewUrl)).status, 404);
  });

  test('the limit of sessions holds over all processes', async () => {
    const results = await Promise.all([1, 2, 3].map(() => post(front, '/v2/browser', {})));
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [200, 200, 429]);
    for (const { body } of results) if (body.id) await end(body.id);
  });

  test('the process with browsers answers no clients, and its internal addresses do not exist for them', async () => {
    assert.equal((await ask(back, '/v2/browser')).status, 404);
    assert.equal((await post(back, '/v2/scrape', { url: web.url(HOST) })).status, 404);
    for (const service of [front, back]) {
      const path = '/peers/operations/listBrowsers';
      assert.equal((await post(service, path, { caller: { team: { id: 'x' } } })).status, 404);
      const forged = { 'x-trawl-peer': 'e30.e30', 'content-type': 'application/x-trawl-peer' };
      const response = await fetch(new URL(path, service.url), { method: 'POST', headers: forged, body: '{}' });
      assert.equal(response.status, 404);
      assert.equal((await fetch(new URL('/v0/health/readiness', service.url))).status, 200);
    }
  });

  test('the operator sees all processes', async () => {
    const { body } = await ask(front, '/v0/health/details');
    assert.deepEqual(
      body.processes.map(({ name, role, hasBrowser, isThis }: Record<string, unknown>) => [
        name,
        role,
        hasBrowser,
        isThis,
      ]),
      [
        ['back', 'browser', true, false],
        ['front', 'api', false, true],
      ],
    );
  });

  test('without its process a session is gone, and pages need a browser', async () => {
    const { id } = await open();
    await back.close();
    const { status, body } = await ask(front, `/v2/browser/${id}`);
    assert.ok([404, 410].includes(status), JSON.stringify(body));
    const page = await post(front, '/v2/scrape', { url: web.url(HOST), formats: ['screenshot'] });
    assert.equal(page.status >= 400, true);
    assert.match(page.body.error, /browser/i);
  });
});
