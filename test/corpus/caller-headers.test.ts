// The caller's headers reach the origin that the caller named and no other: every entrance, by every way away from it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, runJob } from '../support/jobs.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere } from '../support/service-here.ts';
import { type HeaderStage, openHeaderStage, SECRET_HEADERS } from './header-stage.ts';
import { PLAIN_WAYS, SCRIPT_WAYS, wayTo } from './header-ways.ts';

const FRESH = { formats: ['rawHtml'], maxAge: 0, headers: SECRET_HEADERS };
const ALL_SECRETS = Object.keys(SECRET_HEADERS).map((name) => name.toLowerCase());
const AT_ONCE = 4;
const IN_BROWSER = { waitFor: 500, blockAds: false };

let stage: HeaderStage;
let provider: ProviderStandIn;
let service: RunningService;

before(async () => {
  stage = await openHeaderStage();
  provider = await startProviderStandIn('searxng');
  service = await startServiceHere({
    ...stage.settings,
    TRAWL_BROWSER: NEEDS_BROWSER.skip ? 'off' : 'auto',
    TRAWL_SEARXNG_URL: provider.url,
    TRAWL_SEARCH_PROVIDERS: 'searxng',
  });
});
after(async () => {
  await service?.stop();
  await Promise.all([provider?.stop(), stage?.stop()]);
});
beforeEach(() => void stage.arrivals.splice(0));

const waysFrom = (home: string, others: readonly string[], ways: object): string[] =>
  Object.keys(ways).flatMap((way) => others.map((other) => home + wayTo(way, `${other}/landed`)));

/** Fails if a secret went anywhere else, or if nothing arrived at one of the places that show that it could have. */
function assertKept(home: string, reached: readonly string[], secrets: readonly string[] = ALL_SECRETS): void {
  const away = stage.arrivals.filter(({ origin }) => origin !== home);
  assert.deepEqual(
    away.filter((arrival) => arrival.secrets.length > 0),
    [],
    'a secret reached another origin',
  );
  for (const origin of reached)
    assert.ok(
      away.some((arrival) => arrival.origin === origin),
      `${origin} was not reached`,
    );
  const own = stage.arrivals.filter(({ origin }) => origin === home).map((arrival) => arrival.secrets);
  assert.deepEqual(new Set(own.flat()), new Set(secrets), 'what the own origin got');
}

const scrapeAll = async (urls: readonly string[], options: object = {}) => {
  for (let start = 0; start < urls.length; start += AT_ONCE) {
    const some = urls.slice(start, start + AT_ONCE);
    await Promise.all(some.map((url) => service.scrape({ url, ...FRESH, ...options })));
  }
};
const runBatch = (urls: readonly string[], options: object = {}) =>
  runJob(service, BATCH, { urls, ...FRESH, ...options });
const runCrawl = (url: string, options: object = {}) =>
  runJob(service, CRAWL, { url, limit: 40, ignoreRobotsTxt: true, scrapeOptions: FRESH, ...options });

describe("a caller's headers stay with the origin that the caller named", () => {
  const others = () => Object.values(stage.others);

  test('in a scrape', async () => {
    await scrapeAll(waysFrom(stage.home, others(), PLAIN_WAYS));
    assertKept(stage.home, others());
  });

  test('in a scrape of an https page that leads to http', async () => {
    const [first = '', ...others] = waysFrom(stage.secureHome, [stage.home], PLAIN_WAYS);
    const { body } = await service.scrape<{ warning: string }>({ url: first, ...FRESH });
    assert.match(body.warning, /which did not get your `headers`/);
    await scrapeAll(others);
    assertKept(stage.secureHome, [stage.home]);
  });

  test("in a scrape with Chrome's TLS", async () => {
    await scrapeAll(waysFrom(stage.home, others(), { 'redirect-302': {}, 'meta-refresh': {} }), { proxy: 'enhanced' });
    assertKept(stage.home, others());
  });

  test('in a batch, where each URL has its own origin', async () => {
    await runBatch(waysFrom(stage.home, others(), PLAIN_WAYS));
    assertKept(stage.home, others());
    stage.arrivals.length = 0;
    await runBatch([`${stage.others['another host']}/listed`, `${stage.home}/listed`]);
    assert.equal(stage.arrivals.filter(({ secrets }) => secrets.length === ALL_SECRETS.length).length, 2);
  });

  for (const other of ['another host', 'a subdomain', 'another port', 'another scheme']) {
    test(`in a crawl whose start page redirects to ${other}`, async () => {
      const origin = stage.others[other]!;
      await runCrawl(stage.home + wayTo('redirect-302', `${origin}/hub`), { limit: 4, crawlEntireDomain: true });
      assertKept(stage.home, [origin]);
    });
  }

  test('in a crawl that follows links, sitemaps and redirects anywhere', async () => {
    const everywhere = { allowExternalLinks: true, allowSubdomains: true, crawlEntireDomain: true };
    await runCrawl(`${stage.home}/hub`, everywhere);
    assertKept(stage.home, others());
    assert.ok(stage.arrivals.some(({ path }) => path.includes('in-sitemap')));
  });

  test('in a crawl whose excluded start page is only followed', async () => {
    const start = stage.home + wayTo('redirect-302', `${stage.others['another host']}/hub`);
    await runCrawl(start, { excludePaths: ['^/way/'], limit: 3, crawlEntireDomain: true });
    assertKept(stage.home, [stage.others['another host']!]);
  });

  test('in a map', async () => {
    const asked = { headers: SECRET_HEADERS, ignoreCache: true, includeSubdomains: true, timeout: 60_000 };
    await service.post('/v2/map', { ...asked, url: `${stage.home}/hub` });
    await service.post('/v2/map', {
      ...asked,
      url: stage.home + wayTo('redirect-302', `${stage.others['a subdomain']}/hub`),
    });
    assertKept(stage.home, [stage.others['a subdomain']!]);
  });

  test('in a search, where nobody gets them: the caller has not chosen the results', async () => {
    provider.give(...[stage.home, ...others()].map((origin) => ({ url: `${origin}/found`, title: 'Found' })));
    const found = await service.post<{ warning: string }>('/v2/search', { query: 'found', scrapeOptions: FRESH });
    assertKept(stage.home, others(), []);
    assert.match(found.body.warning, /`headers` other than User-Agent and Accept-Language were not sent/);
    stage.arrivals.length = 0;
    const later = { query: 'found later', scrapeOptions: FRESH, asyncScraping: true };
    const { body } = await service.post<{ scrapeIds: { web: string[] } }>('/v2/search', later);
    for (const id of body.scrapeIds.web) {
      while ((await service.fetch(`/v2/scrape/${id}`)).status === 404)
        await new Promise((done) => setTimeout(done, 50));
    }
    assertKept(stage.home, others(), []);
  });

  describe('in a browser', NEEDS_BROWSER, () => {
    const redirects = ['redirect-302', 'refresh-header', 'meta-refresh'];
    for (const way of [...redirects, ...Object.keys(SCRIPT_WAYS)]) {
      const add = way === 'redirect-302' ? test : fullTest;
      add(`by ${way}`, async () => {
        // Cookies of a browser are the same for all ports of a host, so those are tried by every way.
        const few = [stage.others['another host']!, stage.others['another port']!];
        const targets = way === 'resources' ? others() : few;
        await scrapeAll(waysFrom(stage.home, targets, { [way]: {} }), IN_BROWSER);
        assertKept(stage.home, targets);
        const misused = stage.arrivals.filter(
          ({ path, secrets }) => path.startsWith('/asked-by-other') && secrets.length,
        );
        assert.deepEqual(misused, [], 'a page of another origin used the headers');
      });
    }

    fullTest('in a crawl', async () => {
      const scrapeOptions = { ...FRESH, ...IN_BROWSER };
      await runCrawl(stage.home + wayTo('redirect-302', `${stage.others['another host']}/hub`), {
        limit: 3,
        crawlEntireDomain: true,
        scrapeOptions,
      });
      assertKept(stage.home, [stage.others['another host']!]);
    });

    test('while actions lead elsewhere', async () => {
      const actions = [
        { type: 'executeJavascript', script: `location = '${stage.others['another port']}/landed'` },
        { type: 'wait', milliseconds: 500 },
      ];
      await scrapeAll([`${stage.home}/own`], { actions });
      assertKept(stage.home, [stage.others['another port']!]);
    });
  });
});
