// Stored pages over HTTP: what is listed, shown, compared and deleted, and by whom.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  PageDiffResponse,
  PageVersionsResponse,
  StoredPageResponse,
} from '../../src/contracts/search/stored-pages.ts';
import { runCrawl } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import {
  answer,
  ask,
  changeOffer,
  deleteBy,
  found,
  hostOf,
  hostsOf,
  LIBRARY,
  pagesOf,
  requests,
  SHOP,
  service,
  stranger,
  useStoredPages,
  web,
} from '../support/wire/stored-pages.ts';

useStoredPages();

const pageAt = (url: string, from = service) => answer<StoredPageResponse>(from, 'GET /v2/index/page', { url });

const scrape = async (url: string, options: object = {}, from = service) => {
  const { status, body } = await from.scrape<{ data: { metadata: { cacheState?: string } } }>({ url, ...options });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
};

describe('stored pages', () => {
  test('a crawl is seen by host and page, and a deleted page is gone from search and cache', async () => {
    await runCrawl(service, { url: web.url(SHOP, '/'), limit: 10 });
    await scrape(web.url(SHOP, '/moved'));
    const { data: hosts } = await hostsOf();
    assert.deepEqual(
      hosts.map(({ host, pages }) => [host, pages]),
      [[hostOf(SHOP), 3]],
    );
    assert.ok(hosts[0]!.bytes > 0 && Date.parse(hosts[0]!.newestAt) <= Date.now());
    const { data: pages, has_more: hasMore } = await pagesOf(service, { host: hostOf(SHOP) });
    const paths = ['/', '/compass', '/sextant'];
    assert.deepEqual([pages.map(({ url }) => new URL(url).pathname), hasMore], [paths, false]);
    const [, compass] = pages;
    assert.deepEqual(
      [compass!.title, compass!.kind, compass!.language, compass!.statusCode, compass!.searchable, compass!.shared],
      ['shop /compass', 'html', 'en', 200, true, true],
    );

    const { data: stored } = await pageAt(web.url(SHOP, '/moved'));
    assert.equal(stored.redirectsTo, web.url(SHOP, '/compass'));
    assert.match(stored.content?.text ?? '', /^# shop \/compass/);
    assert.deepEqual([stored.content?.format, stored.content?.cut, stored.tracked], ['markdown', false, false]);

    const url = web.url(SHOP, '/compass');
    assert.deepEqual(await found(`site:${SHOP} compass`).then((urls) => urls.includes(url)), true);
    await scrape(url);
    const before = requests.get('/compass');
    const deleted = await deleteBy({ url });
    assert.deepEqual(deleted.data, { pages: 1, copies: 2, versions: 0, shared: false, has_more: false, archived: 0 });
    assert.deepEqual((await deleteBy({ url })).data, {
      pages: 0,
      copies: 0,
      versions: 0,
      shared: false,
      has_more: false,
      archived: 0,
    });
    assert.equal((await ask(service, 'GET /v2/index/page', { url })).body.code, 'PAGE_NOT_STORED');
    assert.ok(!(await found(`site:${SHOP} compass`)).includes(url));
    await scrape(url);
    assert.equal(requests.get('/compass'), before! + 1, 'the cache did not answer');
    const { data: events } = await answer<{ data: { action: string; target: string }[] }>(
      ...([service, 'GET /v2/team/audit', { action: 'pages.deleted' }] as const),
    );
    assert.deepEqual(
      events.map(({ target }) => target),
      [SHOP],
    );
  });

  test('the audit log names every host of which pages were deleted, and no URL', async () => {
    const urls = [web.url(SHOP, '/compass?token=secret'), web.url(SHOP, '/sextant'), web.url(LIBRARY, '/')];
    for (const url of urls) await scrape(url);
    assert.equal((await deleteBy({ url: urls })).data.pages, 3);
    const { data: events } = await answer<{ data: { target: string; details: object }[] }>(
      ...([service, 'GET /v2/team/audit', { action: 'pages.deleted', limit: '2' }] as const),
    );
    assert.deepEqual(
      events.map(({ target, details }) => [target, details]),
      [
        [LIBRARY, { pages: 1 }],
        [SHOP, { pages: 2 }],
      ],
    );
  });

  test('versions of a tracked page are listed and compared, by its own team only', async () => {
    const url = web.url(SHOP, '/offer');
    const tracked = { formats: ['markdown', 'changeTracking'] };
    await scrape(url, tracked);
    await scrape(url, tracked);
    changeOffer('A brass compass for 129 EUR.');
    await scrape(url, tracked);
    changeOffer(undefined);
    await scrape(url, tracked);
    const { data } = await answer<PageVersionsResponse>(service, 'GET /v2/index/page/versions', { url });
    assert.deepEqual(
      data.map(({ tag, versions }) => [tag, versions.map(({ status }) => status)]),
      [[null, ['removed', 'changed', 'new']]],
    );
    const [gone, changed, first] = data[0]!.versions;
    const diffOf = (query: Record<string, string>, from = service) =>
      ask<PageDiffResponse>(from, 'GET /v2/index/page/diff', { url, ...query });
    const { body } = await diffOf({ to: String(changed!.id) });
    assert.equal(body.data.from?.id, first!.id);
    assert.match(body.data.diff!.text, /\n-A brass compass for 149 EUR\.\n\+A brass compass for 129 EUR\.\n/);
    const back = await diffOf({ to: String(first!.id), from: String(changed!.id) });
    assert.match(back.body.data.diff!.text, /\n-A brass compass for 129 EUR\.\n\+A brass/);
    const whole = await diffOf({ to: String(first!.id) });
    assert.deepEqual([whole.body.data.from, whole.body.data.same], [null, false]);
    const same = await diffOf({ to: String(first!.id), from: String(first!.id) });
    assert.deepEqual([same.body.data.same, same.body.data.diff], [true, null]);
    assert.equal((await diffOf({ to: String(gone!.id) })).body.code, 'VERSION_NOT_FOUND');
    assert.equal((await diffOf({ to: '999999' })).body.code, 'VERSION_NOT_FOUND');
    assert.equal((await diffOf({ to: String(first!.id) }, stranger)).body.code, 'VERSION_NOT_FOUND');
    const others = await answer<PageVersionsResponse>(stranger, 'GET /v2/index/page/versions', { url });
    assert.deepEqual(others.data, []);
    assert.deepEqual(
      (await pagesOf(service, { tracked: 'true' })).data.map((each) => each.url),
      [url],
    );
    assert.equal((await deleteBy({ url })).data.versions, 3);
    assert.equal((await ask(service, 'GET /v2/index/page', { url })).status, 404);
  });

  test('teams see what they share and delete only their own', async () => {
    const shared = web.url(LIBRARY, '/books');
    const own = web.url(LIBRARY, '/letter?token=a1b2c3d4e5f6a7b8c9d0');
    await scrape(shared, {}, stranger);
    await scrape(own, {}, stranger);
    const paths = async (from: RunningService) =>
      (await pagesOf(from, { host: hostOf(LIBRARY) })).data.map(({ url, shared: isShared }) => [url, isShared]);
    assert.deepEqual(await paths(stranger), [
      [shared, true],
      [own, false],
    ]);
    assert.deepEqual(await paths(service), [[shared, true]]);
    assert.equal((await ask(service, 'GET /v2/index/page', { url: own })).status, 404);

    const refused = await deleteBy({ host: hostOf(LIBRARY) }, stranger);
    assert.deepEqual([refused.data.pages, refused.data.shared], [1, true]);
    assert.deepEqual(await paths(stranger), [[shared, true]]);
    assert.equal((await deleteBy({ url: shared }, stranger)).data.shared, true);
    assert.equal((await deleteBy({ url: shared })).data.pages, 1);
    assert.deepEqual(await paths(stranger), []);
  });

  test('restricted keys read what they may, and delete nothing', async () => {
    await scrape(web.url(LIBRARY, '/books'));
    const keyWith = async (limits: object) => {
      const { body } = await service.post<{ data: { key: string } }>('/v2/team/keys', { limits });
      return { authorization: `Bearer ${body.data.key}` };
    };
    const asKey = async (headers: Record<string, string>, path: string, method = 'GET') => {
      const response = await service.fetch(path, { method, headers });
      return { status: response.status, body: (await response.json()) as { code?: string; data: { host: string }[] } };
    };
    const reader = await keyWith({ operations: ['scrape'] });
    assert.equal((await asKey(reader, '/v2/index/hosts')).status, 200);
    assert.equal((await asKey(reader, `/v2/index/pages?host=${SHOP}`, 'DELETE')).body.code, 'KEY_RESTRICTED');
    assert.equal((await asKey(await keyWith({ operations: ['map'] }), '/v2/index/hosts')).status, 403);
    const ofDomain = await keyWith({ domains: [LIBRARY] });
    const { body } = await asKey(ofDomain, '/v2/index/hosts');
    assert.deepEqual(
      body.data.map(({ host }) => host),
      [hostOf(LIBRARY)],
    );
    const shop = `/v2/index/page?url=${encodeURIComponent(web.url(SHOP, '/'))}`;
    assert.equal((await asKey(ofDomain, shop)).body.code, 'KEY_RESTRICTED');
    // What a URL of its domain leads to is a page of another one.
    await scrape(web.url(LIBRARY, '/elsewhere'));
    const leading = `/v2/index/page?url=${encodeURIComponent(web.url(LIBRARY, '/elsewhere'))}`;
    assert.equal((await asKey(ofDomain, leading)).body.code, 'KEY_RESTRICTED');
    // A diff shows the text of a page.
    const diff = `/v2/index/page/diff?url=${encodeURIComponent(web.url(SHOP, '/offer'))}&to=1`;
    assert.equal((await asKey(await keyWith({ formats: ['links'] }), diff)).body.code, 'KEY_RESTRICTED');
    assert.equal((await asKey({ authorization: 'Bearer fc-wrong' }, '/v2/index/hosts')).status, 401);
  });

  test('bad input is refused in words', async () => {
    const bad = async (route: string, query: Record<string, string | string[]>) => {
      const { status, body } = await ask(service, route, query);
      assert.equal(status, 400, JSON.stringify(body));
      return body.error;
    };
    for (const cursor of ['!', 'bm90IGpzb24', Buffer.from('[1,2,3]').toString('base64url'), 'e30', 'x'.repeat(5_000)]) {
      assert.match((await bad('GET /v2/index/hosts', { cursor })) ?? '', /[Ii]nvalid cursor/);
      assert.match((await bad('GET /v2/index/pages', { cursor })) ?? '', /[Ii]nvalid cursor/);
    }
    assert.match((await bad('DELETE /v2/index/pages', {})) ?? '', /either `url`/);
    assert.match(
      (await bad('DELETE /v2/index/pages', { url: 'http://a.test/', host: 'a.test' })) ?? '',
      /either `url`/,
    );
    for (const host of ['', 'a b', 'http://a.test/', 'a.test/path', 'user@a.test', '?']) {
      await bad('GET /v2/index/pages', { host });
      await bad('DELETE /v2/index/pages', { host });
    }
    for (const url of ['', 'javascript:alert(1)', 'http://', 'x'.repeat(17_000)]) {
      const { status } = await ask(service, 'GET /v2/index/page', { url });
      assert.ok(status >= 400 && status < 500, `${url.slice(0, 20)}: ${status}`);
    }
    for (const limit of ['0', '-1', 'x', '101', '']) await bad('GET /v2/index/pages', { limit });
    for (const to of ['', '0', '1.5', 'x']) await bad('GET /v2/index/page/diff', { url: 'http://a.test/', to });
    assert.deepEqual((await pagesOf(service, { host: 'nowhere.test' })).data, []);
    assert.deepEqual((await deleteBy({ host: 'nowhere.test' })).data.pages, 0);
  });
});
