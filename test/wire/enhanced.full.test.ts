// POST /v2/scrape against sites that turn programs away, with a proxy or a browser that can help.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { startProxy } from '../support/proxy.ts';
import { type RunningService, startService } from '../support/service.ts';
import { CHROME } from '../support/walls/chrome.ts';
import { useWalls } from '../support/walls/scrape-walls.ts';

const { scene, start, scrape } = useWalls();

test('an enhanced proxy of the operator carries the other identity', async () => {
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port: scene.walls.port }) });
  const service = await start({ TRAWL_PROXY_ENHANCED: proxy.url });
  try {
    const { isInside, result } = await scrape(service, 'tls');
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.deepEqual([...new Set(proxy.asked)], [`CONNECT tls.test:${scene.walls.port}`]);
  } finally {
    await service.stop();
    await proxy.stop();
  }
});

describe('with a browser', NEEDS_BROWSER, () => {
  let service: RunningService;
  before(async () => {
    // A machine for which the library of the other identity has no build.
    const hook = new URL('../support/walls/without-impit.ts', import.meta.url);
    const NODE_OPTIONS = `--import=${hook.href}`;
    service = await startService({ ...scene.walls.settings, TRAWL_BROWSER: 'auto', NODE_OPTIONS });
  });
  after(() => service?.stop());

  test('a wall that runs a script lets the browser in, also where the other identity is missing', async () => {
    const { isInside, result, trail } = await scrape(service, 'script');
    assert.ok(isInside, scene.walls.visits('script').at(-1)?.headers.cookie);
    assert.deepEqual(result, [200, 'stealth', 5]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth unavailable', 'browser stealth ok']);
    // On the wire the browser is what it claims to be.
    const { tls, http2, headers } = scene.walls.visits('script').at(-1)!;
    assert.deepEqual([tls.alpn, http2?.pseudoHeaders], [CHROME.tls.alpn, CHROME.http2?.pseudoHeaders]);
    assert.doesNotMatch(JSON.stringify(headers), /Headless/);
  });
});
