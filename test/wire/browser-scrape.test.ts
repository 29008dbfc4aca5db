// POST /v2/scrape with a browser available: when it is used, how it applies options, what is cached.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { withModelAndProxy } from '../support/browser/service-settings.ts';
import { fullTest, test } from '../support/full-run.ts';
import { until } from '../support/jobs.ts';
import type { TestProxy } from '../support/proxy.ts';
import { search } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import { storyMarker } from '../support/web/browser-pages.ts';
import type { Web } from '../support/web.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  warning?: string;
  data: { markdown: string; rawHtml: string; metadata: Record<string, unknown> };
}

describe('a scrape with a browser available', NEEDS_BROWSER, () => {
  let web: Web;
  let proxy: TestProxy;
  let service: RunningService;

  before(async () => {
    web = await startSharedWeb();
    const helpers = await withModelAndProxy();
    proxy = helpers.proxy;
    service = await joinService(web, helpers.settings);
  });
  after(async () => {
    await web?.stop();
  });

  async function scrape(host: string, path: string, options: object = {}) {
    const { status, body } = await service.scrape<Scraped>({ url: web.url(host, path), ...options });
    return { status, ...body };
  }

  test('an empty shell is rendered automatically, and the next page of its host right away', async () => {
    const first = await scrape('app.test', '/story/first');
    assert.match(first.data.markdown, new RegExp(storyMarker('first')));
    const { verdict, proxyUsed, creditsUsed, statusCode, cacheState } = first.data.metadata;
    assert.deepEqual(
      [verdict, proxyUsed, creditsUsed, statusCode, cacheState],
      [undefined, 'basic', 1, 200, 'miss'],
      JSON.stringify(first.data.metadata),
    );
    assert.equal(web.requests('app.test', '/story/first'), 2, 'plain HTTP and the browser');

    const second = await scrape('app.test', '/story/second');
    assert.match(second.data.markdown, new RegExp(storyMarker('second')));
    assert.equal(web.requests('app.test', '/story/second'), 1, 'only the browser');
  });

  test('a rendered page is cached, and found by a search', async () => {
    await scrape('app.test', '/story/kept');
    const asked = web.requests('app.test');
    const again = await scrape('app.test', '/story/kept', { formats: ['rawHtml'] });
    assert.equal(again.data.metadata.cacheState, 'hit');
    assert.match(again.data.rawHtml, new RegExp(storyMarker('kept')));
    assert.equal(web.requests('app.test'), asked);
    const found = await until(
      () => search(service, { query: `"${storyMarker('kept')}"` }),
      ({ data }) => data.web?.length === 1,
    );
    assert.equal(found.data.web![0]!.url, web.url('app.test', '/story/kept'));
  });

  test('a page with scripts and hardly any text is rendered', async () => {
    const { data } = await scrape('hours.test', '/');
    assert.match(data.markdown, /The doors open at nine/);
  });

  test('fastMode uses plain HTTP and reports the shell, and does not affect later scrapes of the page', async () => {
    const { data, warning } = await scrape('app.test', '/story/hurry', { fastMode: true });
    assert.deepEqual([data.metadata.verdict, data.metadata.creditsUsed], ['empty-shell', 0]);
    assert.match(warning!, /JavaScript/);
    assert.equal(web.requests('app.test', '/api/story/hurry'), 0);
    const patient = await scrape('app.test', '/story/hurry');
    assert.match(patient.data.markdown, new RegExp(storyMarker('hurry')));
    assert.deepEqual([patient.data.metadata.cacheState, patient.data.metadata.creditsUsed], ['miss', 1]);
    assert.equal((await scrape('app.test', '/story/hurry', { fastMode: true })).data.metadata.cacheState, 'hit');
  });

  test('a page that needs no scripts is read without the browser', async () => {
    const { data } = await scrape('room.test', '/who', { formats: ['rawHtml'] });
    assert.match(data.rawHtml, /<pre id="who"><\/pre>/);
  });

  fullTest('waitFor waits for late content', async () => {
    const late = await scrape('room.test', '/late', { waitFor: 2500 });
    assert.match(late.data.markdown, /Here at last/);
    assert.equal(late.warning, undefined);
  });

  test('mobile and location change what the page sees of its visitor', async () => {
    const who = async (options: object) => {
      const { data } = await scrape('room.test', '/who', { waitFor: 1, formats: ['rawHtml'], ...options });
      return JSON.parse(/<pre id="who">(.*?)<\/pre>/.exec(data.rawHtml)![1]!);
    };
    const [usual, phone, german] = await Promise.all([
      who({}),
      who({ mobile: true }),
      who({ location: { country: 'DE', languages: ['de-DE', 'en'] } }),
    ]);
    assert.deepEqual([usual.language, usual.zone, usual.width], ['en-US', 'America/New_York', 1920]);
    assert.deepEqual([phone.width, phone.touch], [412, true]);
    assert.match(phone.agent, /Android.*Mobile/);
    assert.deepEqual([german.language, german.zone], ['de-DE', 'Europe/Berlin']);
    assert.match(german.asked, /^de-DE,.*\ben\b/);
  });

  test('blockAds removes banners and advertisements, unless it is off', async () => {
    const options = { waitFor: 1, formats: ['rawHtml'] };
    const without = (await scrape('room.test', '/banner', options)).data.rawHtml;
    assert.doesNotMatch(without, /value your privacy|Buy this now/);
    assert.equal(web.requests('room.test', '/assets/prebid.js'), 0);
    const withAll = (await scrape('room.test', '/banner', { ...options, blockAds: false })).data.rawHtml;
    assert.match(withAll, /value your privacy.*Buy this now/s);
  });

  test('after two refusals the page is loaded by the browser through the enhanced proxy, at its price', async () => {
    const { data } = await scrape('guard.test', '/door');
    assert.match(data.markdown, /You may come in/);
    const { proxyUsed, creditsUsed, statusCode } = data.metadata;
    assert.deepEqual([proxyUsed, creditsUsed, statusCode], ['stealth', 5, 200]);
    assert.ok(proxy.asked.some((line) => line.includes(new URL(web.url('guard.test')).host)));
    assert.ok(!proxy.asked.some((line) => line.includes(new URL(web.url('app.test')).host)));
  });

  test('proxy basic returns the refusal as it is, and proxy enhanced is used from the start', async () => {
    const basic = await scrape('guard.test', '/basic', { proxy: 'basic' });
    assert.deepEqual([basic.data.metadata.statusCode, basic.data.metadata.proxyUsed], [403, 'basic']);
    assert.equal(web.requests('guard.test', '/basic'), 2);
    const { data } = await scrape('room.test', '/number/enhanced', { proxy: 'enhanced', waitFor: 1 });
    assert.match(data.markdown, /Seen \/number\/enhanced/);
    assert.deepEqual([data.metadata.proxyUsed, data.metadata.creditsUsed], ['stealth', 5]);
  });

  fullTest('eight scrapes at once return eight different pages', async () => {
    const numbers = Array.from({ length: 8 }, (_, number) => `/number/${number}`);
    const answers = await Promise.all(numbers.map((path) => scrape('room.test', path, { waitFor: 1 })));
    for (const [at, { data }] of answers.entries()) assert.match(data.markdown, new RegExp(`Seen ${numbers[at]}\\b`));
  });

  fullTest('pages that never answer are a 408 in time, and do not block others', async () => {
    const stuck = ['/silent', '/busy'].map((path) => scrape('room.test', path, { waitFor: 1, timeout: 3000 }));
    const other = await scrape('room.test', '/number/meanwhile', { waitFor: 1 });
    assert.match(other.data.markdown, /Seen/);
    for (const { status, code } of await Promise.all(stuck)) {
      assert.deepEqual([status, code], [408, 'SCRAPE_TIMEOUT']);
    }
  });
});
