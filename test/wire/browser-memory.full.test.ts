// A page and a session that fill the memory of the machine: each ends with its reason, and others are served meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, reply } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const FILL =
  'const all = []; setInterval(() => { for (let i = 0; i < 4; i++) all.push(new Uint8Array(8 << 20).fill(1)) }, 50)';

describe('memory of browsers', NEEDS_BROWSER, () => {
  let web: Web;
  let service: RunningService;
  before(async () => {
    web = await startWeb({
      'hungry.test': {
        '/': reply(page('Hungry', `<script>${FILL}</script>`)),
        '/fine': reply(page('Fine', '<p>A page like any other, with a sentence or two in it.</p>')),
      },
    });
    service = await startServiceWith(web, {
      TRAWL_BROWSER: 'auto',
      TRAWL_MAX_BROWSER_MB: '256',
      TRAWL_BROWSER_EXECUTE: 'node',
    });
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
  });
  const scrape = (path: string, options = {}) =>
    service.scrape<{ success: boolean; code?: string; error?: string }>({
      url: web.url('hungry.test', path),
      ...options,
    });

  test('a page over its limit is refused with its own error, and others are read meanwhile', async () => {
    const hungry = scrape('/', { waitFor: 50_000, timeout: 120_000 });
    const others = [1, 2, 3].map((n) => scrape(`/fine?n=${n}`, { waitFor: n }));
    const { status, body } = await hungry;
    assert.deepEqual([status, body.code], [500, 'SCRAPE_PAGE_MEMORY_EXCEEDED']);
    assert.match(body.error!, /TRAWL_MAX_BROWSER_MB/);
    for (const other of await Promise.all(others)) assert.equal(other.status, 200);
  });

  test('a session over its limit ends, and later calls say why', async () => {
    const { body } = await service.post<{ id: string; cdpUrl: string }>('/v2/browser', {});
    const browser = await chromium.connectOverCDP(body.cdpUrl);
    const [tab] = browser.contexts()[0]!.pages();
    const gone = new Promise((resolve) => browser.once('disconnected', resolve));
    await tab!.goto(web.url('hungry.test', '/'));
    await gone;
    const run = { code: '1', language: 'node' };
    const later = await service.post<{ code: string; error: string }>(`/v2/browser/${body.id}/execute`, run);
    assert.deepEqual([later.status, later.body.code], [410, 'SESSION_ENDED']);
    assert.match(later.body.error, /used too much memory/);
    const listed = await (await service.fetch('/v2/browser')).json();
    assert.deepEqual(
      (listed as { sessions: { id: string; status: string }[] }).sessions.map(({ id, status }) => [id, status]),
      [[body.id, 'destroyed']],
    );
  });
});
