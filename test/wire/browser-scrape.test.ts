// POST /v2/scrape with a browser available: when it is used, how it applies options, what is cached.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { useRendering } from '../support/browser/rendering.ts';
import { storyMarker } from '../support/web/browser-pages.ts';

describe('a scrape with a browser available', NEEDS_BROWSER, () => {
  const scene = useRendering();
  const { scrape } = scene;

  test('an empty shell is rendered automatically, and the next page of its host right away', async () => {
    const first = await scrape('app.test', '/story/first');
    assert.match(first.data.markdown, new RegExp(storyMarker('first')));
    const { verdict, proxyUsed, creditsUsed, statusCode, cacheState } = first.data.metadata;
    assert.deepEqual(
      [verdict, proxyUsed, creditsUsed, statusCode, cacheState],
      [undefined, 'basic', 1, 200, 'miss'],
      JSON.stringify(first.data.metadata),
    );
    assert.equal(scene.web.requests('app.test', '/story/first'), 2, 'plain HTTP and the browser');

    const second = await scrape('app.test', '/story/second');
    assert.match(second.data.markdown, new RegExp(storyMarker('second')));
    assert.equal(scene.web.requests('app.test', '/story/second'), 1, 'only the browser');
  });

  test('fastMode uses plain HTTP and reports the shell, and does not affect later scrapes of the page', async () => {
    const { data, warning } = await scrape('app.test', '/story/hurry', { fastMode: true });
    assert.deepEqual([data.metadata.verdict, data.metadata.creditsUsed], ['empty-shell', 0]);
    assert.match(warning!, /JavaScript/);
    assert.equal(scene.web.requests('app.test', '/api/story/hurry'), 0);
    const patient = await scrape('app.test', '/story/hurry');
    assert.match(patient.data.markdown, new RegExp(storyMarker('hurry')));
    assert.deepEqual([patient.data.metadata.cacheState, patient.data.metadata.creditsUsed], ['miss', 1]);
    assert.equal((await scrape('app.test', '/story/hurry', { fastMode: true })).data.metadata.cacheState, 'hit');
  });

  test('a page that needs no scripts is read without the browser', async () => {
    const { data } = await scrape('room.test', '/who', { formats: ['rawHtml'] });
    assert.match(data.rawHtml, /<pre id="who"><\/pre>/);
  });

  test('waitFor waits for late content', async () => {
    const late = await scrape('room.test', '/late', { waitFor: 2500 });
    assert.match(late.data.markdown, /Here at last/);
    assert.equal(late.warning, undefined);
  });

  test('after two refusals the page is loaded by the browser through the enhanced proxy, at its price', async () => {
    const { data } = await scrape('guard.test', '/door');
    assert.match(data.markdown, /You may come in/);
    const { proxyUsed, creditsUsed, statusCode } = data.metadata;
    assert.deepEqual([proxyUsed, creditsUsed, statusCode], ['stealth', 5, 200]);
    assert.ok(scene.proxy.asked.some((line) => line.includes('guard.test')));
    assert.ok(!scene.proxy.asked.some((line) => line.includes('app.test')));
  });
});
