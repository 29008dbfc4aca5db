// POST /v2/scrape against sites that turn programs away: what basic, auto and enhanced get, and what it costs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { startProxy } from '../support/proxy.ts';
import { type RunningService, startService } from '../support/service.ts';
import { CHROME } from '../support/walls/chrome.ts';
import { INSIDE, startWalls, type WallName, type Walls } from '../support/walls/walls.ts';

interface Attempt {
  engine: string;
  proxy: string;
  outcome: string;
  ms: number;
}

interface Scraped {
  success: boolean;
  error?: string;
  warning?: string;
  data: { markdown: string; metadata: Record<string, unknown> & { attempts?: Attempt[] } };
}

let walls: Walls;
before(async () => {
  walls = await startWalls();
});
after(() => walls?.stop());

const start = (settings: Record<string, string> = {}) => startService({ ...walls.settings, ...settings });

async function scrape(service: RunningService, wall: WallName, options: object = {}) {
  const { status, body } = await service.scrape<Scraped>({ url: walls.url(wall), maxAge: 0, ...options });
  const { statusCode, proxyUsed, creditsUsed, attempts = [] } = body.data?.metadata ?? {};
  return {
    status,
    ...body,
    isInside: body.data?.markdown.includes(INSIDE) ?? false,
    result: [statusCode, proxyUsed, creditsUsed],
    trail: attempts.map(({ engine, proxy, outcome }) => `${engine} ${proxy} ${outcome}`),
  };
}

describe('without a browser', () => {
  let service: RunningService;
  before(async () => {
    // Proxies of the environment are not for us: everything has to go through the guarded proxy.
    const nowhere = 'http://127.0.0.1:9';
    service = await start({ NO_PROXY: '*', HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere });
  });
  after(() => service?.stop());

  test('a wall that looks at the TLS handshake lets the enhanced attempt in, and the basic one not', async () => {
    const basic = await scrape(service, 'tls', { proxy: 'basic' });
    assert.deepEqual([basic.isInside, ...basic.result], [false, 403, 'basic', 1]);
    assert.deepEqual(basic.trail, []);
    const enhanced = await scrape(service, 'tls', { proxy: 'enhanced' });
    assert.deepEqual([enhanced.isInside, ...enhanced.result], [true, 200, 'stealth', 5]);
    assert.deepEqual(enhanced.trail, ['chrome-http stealth ok']);
    assert.equal(enhanced.warning, undefined);
  });

  test('auto tries another identity after a 403, says so, and charges for what helped', async () => {
    const { isInside, result, trail } = await scrape(service, 'tls');
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth ok']);
  });

  test('a page that basic gets stays basic in auto', async () => {
    const { isInside, result, trail } = await scrape(service, 'rate');
    assert.deepEqual([isInside, ...result], [true, 200, 'basic', 1]);
    assert.deepEqual(trail, []);
  });

  test('the headers come in the order of Chrome, with hints that agree with the User-Agent', async () => {
    for (const wall of ['order', 'hints'] as const) {
      const { isInside } = await scrape(service, wall, { proxy: 'enhanced' });
      assert.ok(isInside, `${wall}: ${JSON.stringify(walls.visits(wall).at(-1))}`);
    }
  });

  test('a wall that wants its own cookie back gets it', async () => {
    const { isInside, result } = await scrape(service, 'cookie', { proxy: 'enhanced' });
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.equal(walls.visits('cookie').length, 2);
  });

  test('where nothing helps, the error names the attempts, and nothing is charged', async () => {
    const creditsLeft = async () => {
      const usage = (await (await service.fetch('/v2/team/credit-usage')).json()) as {
        data: { remainingCredits: number };
      };
      return usage.data.remainingCredits;
    };
    const before = await creditsLeft();
    for (const [proxy, tried] of [
      ['enhanced', /chrome-http|challenge/],
      ['auto', /Tried: http, basic \(challenge\); chrome-http, stealth \(challenge\)\./],
    ] as const) {
      const answer = await scrape(service, 'closed', { proxy });
      assert.equal(answer.success, false);
      assert.match(answer.error!, tried);
    }
    assert.equal(await creditsLeft(), before);
  });

  test('a refusal that stays is returned as it is, with a warning and without the surcharge', async () => {
    const { isInside, result, warning, trail } = await scrape(service, 'script');
    assert.deepEqual([isInside, ...result], [false, 403, 'stealth', 1]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth forbidden']);
    assert.match(warning!, /refused the page to every attempt/);
  });
});

test('an enhanced proxy of the operator carries the other identity', async () => {
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port: walls.port }) });
  const service = await start({ TRAWL_PROXY_ENHANCED: proxy.url });
  try {
    const { isInside, result } = await scrape(service, 'tls');
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.deepEqual([...new Set(proxy.asked)], [`CONNECT tls.test:${walls.port}`]);
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
    service = await start({ TRAWL_BROWSER: 'auto', NODE_OPTIONS: `--import=${hook.href}` });
  });
  after(() => service?.stop());

  test('a wall that runs a script lets the browser in, also where the other identity is missing', async () => {
    const { isInside, result, trail } = await scrape(service, 'script');
    assert.ok(isInside, walls.visits('script').at(-1)?.headers.cookie);
    assert.deepEqual(result, [200, 'stealth', 5]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth unavailable', 'browser stealth ok']);
    // On the wire the browser is what it claims to be.
    const { tls, http2, headers } = walls.visits('script').at(-1)!;
    assert.deepEqual([tls.alpn, http2?.pseudoHeaders], [CHROME.tls.alpn, CHROME.http2?.pseudoHeaders]);
    assert.doesNotMatch(JSON.stringify(headers), /Headless/);
  });
});
