// What enters the index, what stays out, and when it can be found.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { usesEngines } from '../support/engines.ts';
import { BATCH, type JobStatus, read, runCrawl, startJob, until } from '../support/jobs.ts';
import { APART, hostPaths, search } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { readReceived } from '../support/web/hooks.ts';
import { type Handler, page, type Site, send } from '../support/web/reply.ts';
import type { Web } from '../support/web.ts';

const named: Handler = (exchange) =>
  send(exchange, page(`Page ${exchange.tail}`, `<p>The marker is ${exchange.tail}marker.</p>${textOf(exchange.path)}`));

const site: Site = {
  '/page/*': named,
  // Another text with every request.
  '/changing/*': (exchange) =>
    send(
      exchange,
      page('Changing', `<p>Now it is ${exchange.tail}visit${exchange.visit}.</p>${textOf(exchange.tail)}`),
    ),
  // Exists once, then is gone.
  '/leaving/*': (exchange) => {
    const status = exchange.visit === 1 ? 200 : 410;
    send(exchange, page('Leaving', `<p>It was ${exchange.tail}marker.</p>${textOf(exchange.tail)}`), { status });
  },
  // Fails after the first request, which says nothing about the page.
  '/ailing/*': (exchange) => {
    const status = exchange.visit === 1 ? 200 : 503;
    send(exchange, page('Ailing', `<p>It was ${exchange.tail}marker.</p>${textOf(exchange.tail)}`), { status });
  },
  '/missing/*': (exchange) =>
    send(exchange, page('Missing', `<p>${exchange.tail}marker</p>${textOf(exchange.tail)}`), { status: 404 }),
  '/moved/*': (exchange) => send(exchange, '', { status: 301, headers: { location: `/page/${exchange.tail}` } }),
  '/tree': (exchange) =>
    send(exchange, page('Tree', Array.from({ length: 8 }, (_, n) => `<a href="/page/leaf${n}">${n}</a>`).join(' '))),
};

let web: Web;
let service: RunningService;
before(async () => {
  web = await startSharedWeb({ 'index.test': site });
  service = await joinService(web, APART);
});
after(async () => {
  await service?.stop();
  await web?.stop();
});

const address = (path: string) => web.url('index.test', path);
const found = async (query: string) => hostPaths((await search(service, { query })).data.web);
async function scrape(path: string, more: object = {}): Promise<number> {
  const { status } = await service.scrape({ url: address(path), ...more });
  return status;
}

describe('a scrape', () => {
  test('can be found by the very next search', async () => {
    assert.equal(await scrape('/page/prompt'), 200);
    assert.deepEqual(await found('promptmarker'), ['index.test/page/prompt']);
  });

  test('that is redirected is found under its final address', async () => {
    await scrape('/moved/wanderer');
    assert.deepEqual(await found('wanderermarker'), ['index.test/page/wanderer']);
  });

  const OPTIONS: Record<string, object> = {
    nocache: { storeInCache: false },
    headed: { headers: { 'x-member': '1' } },
    traceless: { zeroDataRetention: true },
  };
  for (const [name, options] of Object.entries(OPTIONS)) {
    test(`with ${JSON.stringify(options)} stays out of the index`, async () => {
      assert.equal(await scrape(`/page/${name}`, options), 200);
      // An indexable page follows, so once that is found, the first would have been found, too.
      await scrape(`/page/${name}after`);
      assert.equal((await found(`${name}aftermarker`)).length, 1);
      assert.deepEqual(await found(`${name}marker`), []);
    });
  }

  const VARIANTS: Record<string, object> = {
    mobile: { mobile: true },
    elsewhere: { location: { country: 'DE' } },
    foreign: { location: { country: 'US', languages: ['fr'] } },
    awaited: { waitFor: 10 },
    noisy: { blockAds: false },
    enhanced: { proxy: 'enhanced' },
  };
  for (const [name, options] of Object.entries(VARIANTS)) {
    test(`with ${JSON.stringify(options)} can be found, as any other`, async () => {
      assert.equal(await scrape(`/page/${name}`, options), 200);
      assert.deepEqual(await found(`${name}marker`), [`index.test/page/${name}`]);
    });
  }

  test('of a worse variant never replaces a fresh better one in the index', async () => {
    await scrape('/changing/variants', { mobile: true });
    assert.equal((await found('variantsvisit1')).length, 1);
    await scrape('/changing/variants');
    assert.equal((await found('variantsvisit2')).length, 1, 'the desktop page replaces that of a phone');
    await scrape('/changing/variants', { mobile: true, maxAge: 0 });
    await scrape('/page/variantsafter');
    assert.equal((await found('variantsaftermarker')).length, 1);
    assert.deepEqual(await found('variantsvisit3'), []);
    assert.equal((await found('variantsvisit2')).length, 1);
  });

  test('in lockdown adds nothing', async () => {
    assert.equal(await scrape('/page/locked', { lockdown: true }), 404);
    await scrape('/page/locked');
    assert.equal(await scrape('/page/locked', { lockdown: true }), 200);
    assert.deepEqual(await found('lockedmarker'), ['index.test/page/locked']);
  });

  test('with other formats indexes the same page once', async () => {
    await scrape('/page/formats');
    await scrape('/page/formats', { formats: ['links'], maxAge: 0 });
    await scrape('/page/formats', { formats: ['rawHtml'], onlyMainContent: false, maxAge: 0 });
    assert.deepEqual(await found('formatsmarker'), ['index.test/page/formats']);
  });

  test('that finds an error page, wall or shell stays out', async () => {
    for (const [host, path] of [
      ['error.test', '/404-article'],
      ['error.test', '/soft-404'],
      ['login.test', '/account'],
      ['shell.test', '/app'],
      ['parked.test', '/'],
      ['challenge.test', '/vendor/200'],
    ] as const) {
      await service.scrape({ url: web.url(host, path) });
    }
    await scrape('/missing/lost');
    await scrape('/page/xafterall');
    assert.equal((await found('xafterallmarker')).length, 1);
    for (const query of [
      'lostmarker',
      'site:error.test',
      'site:login.test',
      'site:shell.test',
      'site:parked.test',
      'site:challenge.test',
    ]) {
      assert.deepEqual(await found(query), [], query);
    }
  });
});

describe('a page that is fetched again', () => {
  test('replaces its older version', async () => {
    await scrape('/changing/word');
    assert.deepEqual(await found('wordvisit1'), ['index.test/changing/word']);
    await scrape('/changing/word', { maxAge: 0 });
    assert.deepEqual(await found('wordvisit2'), ['index.test/changing/word']);
    assert.deepEqual(await found('wordvisit1'), []);
  });

  test('and is gone leaves the index', async () => {
    await scrape('/leaving/farewell');
    assert.equal((await found('farewellmarker')).length, 1);
    await scrape('/leaving/farewell', { maxAge: 0 });
    assert.deepEqual(await found('farewellmarker'), []);
  });

  test('and fails temporarily stays as it was', async () => {
    await scrape('/ailing/patient');
    await scrape('/ailing/patient', { maxAge: 0 });
    await scrape('/page/zafterpatient');
    assert.equal((await found('zafterpatientmarker')).length, 1);
    assert.equal((await found('patientmarker')).length, 1);
  });

  test('with storeInCache false leaves the older version in the index', async () => {
    await scrape('/changing/still');
    await scrape('/changing/still', { maxAge: 0, storeInCache: false });
    assert.equal((await found('stillvisit1')).length, 1);
  });
});

describe('a completed job can be searched at once', () => {
  const leaves = async () =>
    (await search(service, { query: 'marker site:index.test inurl:leaf', limit: 100 })).data.web!.length;
  const batch = (name: string, more: object = {}) =>
    startJob(service, BATCH, { urls: Array.from({ length: 12 }, (_, n) => address(`/page/${name}${n}`)), ...more });
  /** Whether the index lags behind the store; a search alone cannot tell, because it waits briefly, too. */
  const isBehind = () => {
    if (usesEngines) return false;
    const database = new DatabaseSync(join(service.dataDir, 'store.db'), { readOnly: true });
    const newest = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'index_entries'").get()!.seq;
    const settled = database.prepare("SELECT value FROM notes WHERE name = 'index settled'").get()?.value;
    database.close();
    return Number(settled ?? 0) < Number(newest);
  };
  const count = async (name: string) =>
    (await search(service, { query: `marker inurl:${name}`, limit: 100 })).data.web!.length;

  test('when its status says so', async () => {
    const id = await batch('polled');
    for (;;) {
      const { body } = await read<JobStatus>(service, `${BATCH}/${id}`);
      if (body.status === 'completed') break;
    }
    assert.ok(!isBehind());
    assert.equal(await count('polled'), 12);
  });

  test('when its watcher is notified', async () => {
    const id = await batch('watched');
    const socket = new WebSocket(`${service.url.replace(/^http/, 'ws')}${BATCH}/${id}`, service.key);
    const [{ reason }] = (await once(socket, 'close')) as [CloseEvent];
    assert.deepEqual([reason, isBehind()], ['{"type":"done"}', false]);
    assert.equal(await count('watched'), 12);
  });

  test('when its webhook is called', async () => {
    await batch('called', { webhook: { url: web.url('hooks.test', '/hook/indexed'), events: ['completed'] } });
    for (;;) {
      const calls = await readReceived(web, 'indexed');
      if (calls.some(({ body }) => body.includes('completed'))) break;
    }
    assert.ok(!isBehind());
    assert.equal(await count('called'), 12);
  });

  test('a crawl as well, with each page once', async () => {
    await runCrawl(service, { url: address('/tree'), sitemap: 'skip', crawlEntireDomain: true });
    assert.equal(await leaves(), 8);
  });

  test('but not with zero data retention', async () => {
    const id = await batch('unkept', { zeroDataRetention: true });
    await until(
      async () => (await read<JobStatus>(service, `${BATCH}/${id}`)).body.status,
      (status) => status === 'completed',
    );
    assert.equal(await count('unkept'), 0);
  });
});
