// POST /v2/scrape: how a page is fetched: redirects, cookies, headers, retries, slow and broken servers, one time budget.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startProxy } from '../support/proxy.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { useService } from '../support/use-service.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  warning?: string;
  data: { markdown: string; rawHtml: string; metadata: Record<string, unknown> };
}

const scene = useService({ TRAWL_MAX_PAGE_MB: '8' });

async function scrape(url: string, options: object = {}) {
  const { status, body } = await scene.service.scrape<Scraped>({ url, maxAge: 0, ...options });
  return { status, ...body };
}
const echo = async (url: string, options: object) =>
  JSON.parse((await scrape(url, { formats: ['rawHtml'], ...options })).data.rawHtml);

describe('redirects', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} is followed and both URLs are reported`, async () => {
      const url = scene.web.url('redirect.test', `/to/${status}`);
      const { data } = await scrape(url);
      assert.equal(data.metadata.sourceURL, url);
      assert.equal(data.metadata.url, scene.web.url('redirect.test', '/landed'));
    });
  }
  const cases: [path: string, title: string][] = [
    ['/chain/19', 'Landed'],
    ['/cross-host', 'Landed on the other host'],
    ['/there-and-back', 'Landed'],
    ['/relative/deep/path', 'Sibling'],
    ['/only-query', 'Query done'],
    ['/without-scheme', 'Landed on the other host'],
    ['/utf8-path', 'Größe'],
    ['/meta', 'Landed'],
    ['/meta?delay=1', 'Landed'],
    ['/meta-quoted', 'Landed'],
    ['/refresh-header', 'Landed'],
    ['/meta-noscript', 'Needs script'],
    ['/meta-commented', 'In a comment'],
    ['/meta-self', 'Reloads itself'],
    ['/meta-loop', 'Meta loop'],
    ['/meta?delay=30', 'Meta refresh'],
  ];
  for (const [path, title] of cases) {
    test(`${path} leads to "${title}"`, async () => {
      const { data } = await scrape(scene.web.url('redirect.test', path));
      assert.equal(data.metadata.title, title);
    });
  }
  for (const path of ['/loop', '/loop-of-two/a', '/chain/25', '/meta-loop-of-two/a', '/broken-location']) {
    test(`${path} is an error that names the redirect`, async () => {
      const { status, code, error } = await scrape(scene.web.url('redirect.test', path));
      assert.deepEqual([status, code], [500, 'SCRAPE_SITE_ERROR']);
      assert.match(error!, /redirect/i);
    });
  }
});

describe('cookies and headers', () => {
  test('cookies set along redirects are sent within the scrape', async () => {
    assert.equal((await scrape(scene.web.url('cookie.test', '/start'))).data.metadata.title, 'The room');
    assert.equal((await scrape(scene.web.url('cookie.test', '/wall'))).data.metadata.title, 'Behind the wall');
  });

  test('no cookie outlives its scrape', async () => {
    assert.equal((await echo(scene.web.url('cookie.test', '/show'), {})).cookie, null);
  });

  test('the caller’s headers are sent only to the page’s own origin', async () => {
    const headers = { 'X-Own': 'yes', Cookie: 'mine=1', Authorization: 'Bearer secret' };
    const home = await echo(scene.web.url('echo.test', '/'), { headers });
    assert.deepEqual(
      [home.headers['x-own'], home.headers.cookie, home.headers.authorization],
      ['yes', 'mine=1', 'Bearer secret'],
    );
    const url = `${scene.web.url('redirect.test', '/to/302')}?url=${encodeURIComponent(scene.web.url('other.test', '/headers'))}`;
    const away = await echo(url, { headers });
    assert.deepEqual([away['x-own'], away.cookie, away.authorization], [undefined, undefined, undefined]);
  });

  test('the answer says which origin did not get the headers, also if the URL has no scheme', async () => {
    const elsewhere = encodeURIComponent(scene.web.url('other.test', '/headers'));
    for (const [url, warning] of [
      [scene.web.url('echo.test', '/'), undefined],
      [
        scene.web.url('redirect.test', `/to/302?url=${elsewhere}`),
        /redirects to http:\/\/other\.test.*did not get your `headers`/,
      ],
    ] as const) {
      for (const written of [url, url.replace('http://', '')]) {
        const { body } = await scene.service.scrape<{ data: { warning?: string } }>({
          url: written,
          headers: { 'X-Own': 'yes' },
        });
        if (warning) assert.match(body.data.warning!, warning);
        else assert.equal(body.data.warning, undefined);
      }
    }
  });

  test('a scrape looks like a browser and asks for the languages of the location', async () => {
    const { headers } = await echo(scene.web.url('echo.test', '/'), { location: { country: 'at' } });
    assert.match(headers['user-agent'], /Chrome/);
    assert.equal(headers['accept-language'], 'de-AT,de;q=0.9');
    const mobile = await echo(scene.web.url('echo.test', '/'), {
      mobile: true,
      location: { country: 'CH', languages: ['fr', 'it'] },
    });
    assert.match(mobile.headers['user-agent'], /Mobile/);
    assert.equal(mobile.headers['accept-language'], 'fr,it;q=0.9');
  });

  test('the identity has the version of the browser that is installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-browser-'));
    const browser = join(folder, 'chromium');
    await writeFile(browser, '#!/bin/sh\necho Chromium 177.0.9000.12\n', { mode: 0o755 });
    const other = await startServiceHereWith(scene.web, { TRAWL_BROWSER: browser });
    try {
      const { body } = await other.scrape<Scraped>({ url: scene.web.url('echo.test', '/'), formats: ['rawHtml'] });
      const { headers } = JSON.parse(body.data.rawHtml);
      assert.match(headers['user-agent'], / Chrome\/177\.0\.0\.0 /);
      assert.match(headers['sec-ch-ua'], /"Chromium";v="177"/);
    } finally {
      await other.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('connection headers cannot be forged', async () => {
    const { headers } = await echo(scene.web.url('echo.test', '/'), {
      headers: { Host: 'evil.test', 'Content-Length': '9', Connection: 'x' },
    });
    assert.match(headers.host, /^echo\.test/);
    assert.equal(headers['content-length'], undefined);
  });
});

describe('unreliable servers', () => {
  test('a broken connection is retried', async () => {
    assert.equal((await scrape(scene.web.url('fault.test', '/flaky/0/2?a'))).data.metadata.title, 'Works at last');
  });
  test('503 and 429 are retried after the time in Retry-After', async () => {
    assert.equal((await scrape(scene.web.url('fault.test', '/flaky/503/1?b'))).data.metadata.title, 'Works at last');
    assert.equal(
      (await scrape(scene.web.url('fault.test', '/retry-after/429?value=1'))).data.metadata.title,
      'Welcome back',
    );
  });
  test('a Retry-After that is too long is not waited for, and the refusal is returned', async () => {
    const { data } = await scrape(scene.web.url('fault.test', '/retry-after/503?value=3600'));
    assert.equal(data.metadata.statusCode, 503);
    assert.equal(data.metadata.error, 'Service Unavailable');
  });
  for (const status of [400, 404, 410, 418, 500, 502, 999]) {
    test(`the target's ${status} is a success that reports the status`, async () => {
      const { success, data } = await scrape(scene.web.url('error.test', `/${status}`));
      assert.equal(success, true);
      assert.equal(data.metadata.statusCode, status);
      assert.equal(typeof data.metadata.error, 'string');
      assert.equal(data.metadata.creditsUsed, 1);
    });
  }
  for (const path of ['/reset', '/garbage', '/half-headers']) {
    test(`${path} is a site error`, async () => {
      const { status, code } = await scrape(scene.web.url('fault.test', path));
      assert.deepEqual([status, code], [500, 'SCRAPE_SITE_ERROR']);
    });
  }
});

describe('time limits', { concurrency: true }, () => {
  for (const path of ['/stalled-headers', '/stalled-body', '/trickle', '/slow-headers?ms=60000']) {
    test(`${path} is answered with 408 in time`, async () => {
      const { status, code } = await scrape(scene.web.url('fault.test', path), { timeout: 1000 });
      assert.deepEqual([status, code], [408, 'SCRAPE_TIMEOUT']);
    });
  }
});

describe('limits', () => {
  for (const url of [
    'fault.test/huge?mb=100',
    'fault.test/huge-declared',
    'bomb.test/gzip',
    'bomb.test/br',
    'bomb.test/zstd',
    'bomb.test/deflate',
    'bomb.test/nested',
  ]) {
    test(`${url} is refused as too large`, async () => {
      const [host, path] = url.split(/(?=\/)/) as [string, string];
      const { status, code } = await scrape(scene.web.url(host, path));
      assert.deepEqual([status, code], [500, 'SCRAPE_PAGE_TOO_LARGE']);
    });
  }
});

test('a host that does not exist is an error with status 500', async () => {
  const { status, success, code } = await scrape('http://no-such-host.invalid/');
  assert.deepEqual([status, success, code], [500, false, 'SCRAPE_DNS_RESOLUTION_ERROR']);
});

test('certificates are verified only on request, whatever else is sent', async () => {
  const url = scene.web.secureUrl('echo.test', '/');
  assert.equal((await scrape(url)).success, true);
  assert.equal((await scrape(url, { skipTlsVerification: false })).code, 'SCRAPE_SSL_ERROR');
  assert.equal((await scrape(url, { headers: { Cookie: 'a=1' } })).success, true);
  const strict = { headers: { Cookie: 'a=1' }, skipTlsVerification: false };
  assert.equal((await scrape(url, strict)).code, 'SCRAPE_SSL_ERROR');
});

test('the enhanced proxy is used after the basic one was refused, at its own price', async () => {
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port: scene.web.port }) });
  const behind = await startServiceHereWith(scene.web, { TRAWL_PROXY_ENHANCED: proxy.url });
  try {
    const url = scene.web.url('error.test', '/403');
    const auto = await behind.scrape<Scraped>({ url, maxAge: 0 });
    assert.equal(auto.body.data.metadata.proxyUsed, 'stealth');
    const basic = await behind.scrape<Scraped>({ url, maxAge: 0, proxy: 'basic' });
    assert.equal(basic.body.data.metadata.proxyUsed, 'basic');
    const enhanced = await behind.scrape<Scraped>({
      url: scene.web.url('news.test', '/'),
      maxAge: 0,
      proxy: 'stealth',
    });
    assert.deepEqual([enhanced.body.data.metadata.proxyUsed, enhanced.body.data.metadata.creditsUsed], ['stealth', 5]);
  } finally {
    await behind.stop();
    await proxy.stop();
  }
});

test('an error page of the proxy itself is an error that costs nothing, over http as over https', async () => {
  const page = { headers: { 'X-Squid-Error': 'ERR_CONNECT_FAIL 111' }, text: '<h1>Cannot reach the site</h1>' };
  const proxies = await Promise.all([
    startProxy({ status: 502, page }),
    startProxy({ status: 407 }),
    // Without tunnels to port 80, the answer to a forwarded request looks like that of the site.
    startProxy({ status: 503, page, tunnels: 403 }),
  ]);
  for (const proxy of proxies) {
    const behind = await startServiceHereWith(scene.web, { TRAWL_PROXY: proxy.url.replace('://', '://me:secret@') });
    try {
      for (const url of ['http://shop.example/', 'https://shop.example/']) {
        const { status, body } = await behind.scrape<Scraped>({ url });
        assert.deepEqual([status, body.code, body.data], [500, 'SCRAPE_PROXY_SELECTION_ERROR', undefined], url);
        assert.match(body.error!, /upstream proxy/);
        assert.doesNotMatch(body.error!, /127\.0\.0\.1|secret/);
      }
      const { data } = (await (await behind.fetch('/v2/team/credit-usage')).json()) as { data: Record<string, number> };
      assert.equal(data.remainingCredits, data.planCredits);
    } finally {
      await behind.stop();
      await proxy.stop();
    }
  }
});

test('without an enhanced proxy, enhanced attempts leave from our own address', async () => {
  const { data, warning } = await scrape(scene.web.url('news.test', '/'), { proxy: 'enhanced' });
  assert.deepEqual([data.metadata.proxyUsed, data.metadata.creditsUsed], ['stealth', 5]);
  assert.equal(warning, undefined);
});
