// Browser sessions as callers use them: with the public SDK and with Playwright.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { chromium } from 'playwright-core';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { type CreatedSession, sessionsOf } from '../support/open-sessions.ts';
import { useService } from '../support/use-service.ts';

const scene = useService(WITH_BROWSER, {});
const { create, remove } = sessionsOf(scene);
const client = () => new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });

describe('browser sessions', NEEDS_BROWSER, () => {
  test('the SDK opens, lists and ends a session', async () => {
    const before = (await client().getCreditUsage()).remainingCredits;
    const { success, id, cdpUrl, liveViewUrl, interactiveLiveViewUrl, expiresAt } = await client().browser({
      ttl: 120,
      activityTtl: 60,
    });
    assert.equal(success, true);
    assert.match(cdpUrl!, /^ws:\/\/127\.0\.0\.1:\d+\/cdp\/[0-9a-f]{32}$/);
    assert.match(liveViewUrl!, /^http:.*\/live\/[0-9a-f]{32}$/);
    assert.notEqual(liveViewUrl, interactiveLiveViewUrl);
    const left = Date.parse(expiresAt!) - Date.now();
    assert.ok(left > 60_000 && left <= 120_000, `${left}`);

    const { sessions } = await client().listBrowsers({ status: 'active' });
    assert.deepEqual(
      sessions!.map((session) => [session.id, session.status, session.cdpUrl, session.streamWebView]),
      [[id, 'active', cdpUrl, true]],
    );
    const billed = async () => before - (await client().getCreditUsage()).remainingCredits;
    assert.equal(await billed(), 2, 'the first minute is billed at once');
    const { data } = (await (await scene.service.fetch('/v2/team/activity?limit=1')).json()) as { data: object[] };
    assert.deepEqual(
      data.map((request) => ({ ...request, created_at: '' })),
      [{ id, endpoint: 'browser', api_version: 'v2', created_at: '', target: null }],
    );
    const ended = await client().deleteBrowser(id!);
    assert.equal(ended.success, true);
    assert.equal(ended.creditsBilled, 2);
    assert.ok(ended.sessionDurationMs! >= 0);
    assert.equal(await billed(), 2);
    assert.deepEqual((await client().listBrowsers({ status: 'active' })).sessions, []);
    const destroyed = (await client().listBrowsers({ status: 'destroyed' })).sessions!;
    assert.deepEqual([destroyed[0]!.id, destroyed[0]!.status], [id, 'destroyed']);
    assert.equal((await client().deleteBrowser(id!)).success, true);
  });

  test('two sessions share nothing', async () => {
    const [one, two] = [await create({}, '/v2/interact'), await create()];
    const [first, second] = await Promise.all([one, two].map(({ cdpUrl }) => chromium.connectOverCDP(cdpUrl)));
    const url = scene.web.url('any.test', '/');
    const [page, other] = [first!.contexts()[0]!.pages()[0]!, second!.contexts()[0]!.pages()[0]!];
    await page.goto(url);
    await page.evaluate(() => localStorage.setItem('secret', 'x'));
    await other.goto(url);
    assert.equal(await other.evaluate(() => localStorage.getItem('secret')), null);
    assert.equal(second!.contexts().length, 1);
    await Promise.all([first!.close(), second!.close()]);
    await remove(one.id, '/v2/interact');
    await remove(two.id);
  });

  test('a session ends with the key that opened it: its sockets are closed with a code, and it is gone', async () => {
    const { body } = await scene.service.post<{ data: { id: string; key: string } }>('/v2/team/keys', {});
    const { id: keyId, key } = body.data;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const opened = await scene.service.fetch('/v2/browser', { method: 'POST', headers, body: '{}' });
    const { id, cdpUrl, liveViewUrl } = (await opened.json()) as CreatedSession;
    const other = await create();
    const sockets = [cdpUrl, liveViewUrl.replace(/^http/, 'ws')].map((url) => new WebSocket(url));
    const closed = sockets.map((socket) => once(socket, 'close') as Promise<[CloseEvent]>);
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    assert.equal((await scene.service.fetch(`/v2/team/keys/${keyId}`, { method: 'DELETE' })).status, 200);
    for (const [event] of await Promise.all(closed)) assert.equal(event.code, 3000);
    const state = async (session: string) => {
      const response = await scene.service.fetch(`/v2/browser/${session}`);
      return ((await response.json()) as { status: string }).status;
    };
    assert.deepEqual([await state(id), await state(other.id)], ['destroyed', 'active']);
    await remove(other.id);
  });

  test('time limits are checked, and an unknown session is not found', async () => {
    for (const body of [{ ttl: 29 }, { ttl: 3_601 }, { activityTtl: 9 }, { activityTtl: 3_601 }, { ttl: 'long' }]) {
      assert.equal((await scene.service.post('/v2/browser', body)).status, 400, JSON.stringify(body));
    }
    for (const id of ['01900000-0000-7000-8000-000000000001', 'nonsense']) {
      assert.deepEqual(await remove(id), {
        status: 404,
        body: { success: false, code: 'SESSION_NOT_FOUND', error: 'Browser session not found.' },
      });
      assert.equal((await scene.service.fetch(`/v2/browser/${id}`)).status, 404);
    }
    assert.equal((await scene.service.fetch('/v2/browser?status=odd')).status, 400);
  });
});

test('without a browser the answer says why', async () => {
  const { status, body } = await scene.other.post('/v2/browser', {});
  assert.equal(status, 503);
  assert.equal(body.error, 'This needs a browser. The browser is switched off (TRAWL_BROWSER=off).');
});
