// POST /v2/scrape with a browser available: further options, what is cached and found, and many pages at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { useRendering } from '../support/browser/rendering.ts';
import { until } from '../support/jobs.ts';
import { search } from '../support/search/search.ts';
import { storyMarker } from '../support/web/browser-pages.ts';

describe('a scrape with a browser available', NEEDS_BROWSER, () => {
  const scene = useRendering();
  const { scrape } = scene;

  test('a rendered page is cached, and found by a search', async () => {
    await scrape('app.test', '/story/kept');
    const asked = scene.web.requests('app.test');
    const again = await scrape('app.test', '/story/kept', { formats: ['rawHtml'] });
    assert.equal(again.data.metadata.cacheState, 'hit');
    assert.match(again.data.rawHtml, new RegExp(storyMarker('kept')));
    assert.equal(scene.web.requests('app.test'), asked);
    const found = await until(
      () => search(scene.service, { query: `"${storyMarker('kept')}"` }),
      ({ data }) => data.web?.length === 1,
    );
    assert.equal(found.data.web![0]!.url, scene.web.url('app.test', '/story/kept'));
  });

  test('a page with scripts and hardly any text is rendered', async () => {
    const { data } = await scrape('hours.test', '/');
    assert.match(data.markdown, /The doors open at nine/);
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
    assert.equal(scene.web.requests('room.test', '/assets/prebid.js'), 0);
    const withAll = (await scrape('room.test', '/banner', { ...options, blockAds: false })).data.rawHtml;
    assert.match(withAll, /value your privacy.*Buy this now/s);
  });

  test('proxy basic returns the refusal as it is, and proxy enhanced is used from the start', async () => {
    const basic = await scrape('guard.test', '/basic', { proxy: 'basic' });
    assert.deepEqual([basic.data.metadata.statusCode, basic.data.metadata.proxyUsed], [403, 'basic']);
    assert.equal(scene.web.requests('guard.test', '/basic'), 2);
    const { data } = await scrape('room.test', '/number/enhanced', { proxy: 'enhanced', waitFor: 1 });
    assert.match(data.markdown, /Seen \/number\/enhanced/);
    assert.deepEqual([data.metadata.proxyUsed, data.metadata.creditsUsed], ['stealth', 5]);
  });

  test('eight scrapes at once return eight different pages', async () => {
    const numbers = Array.from({ length: 8 }, (_, number) => `/number/${number}`);
    const answers = await Promise.all(numbers.map((path) => scrape('room.test', path, { waitFor: 1 })));
    for (const [at, { data }] of answers.entries()) assert.match(data.markdown, new RegExp(`Seen ${numbers[at]}\\b`));
  });

  test('pages that never answer are a 408 in time, and do not block others', async () => {
    const stuck = ['/silent', '/busy'].map((path) => scrape('room.test', path, { waitFor: 1, timeout: 3000 }));
    const other = await scrape('room.test', '/number/meanwhile', { waitFor: 1 });
    assert.match(other.data.markdown, /Seen/);
    for (const { status, code } of await Promise.all(stuck)) {
      assert.deepEqual([status, code], [408, 'SCRAPE_TIMEOUT']);
    }
  });
});
