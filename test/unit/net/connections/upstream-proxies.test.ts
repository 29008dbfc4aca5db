import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createProxyList, parseProxyList } from '../../../../src/net/connections/upstream-proxies.ts';
import { isRetryable } from '../../../../src/net/wire-failure.ts';
import { startProxy } from '../../../support/proxy.ts';
import { selfSignedCertificate } from '../../../support/web/certificate.ts';
import { get, openEgress, serve, soon, textOf } from '../local.ts';

const through = (urls: string) => ({ proxies: { basic: parseProxyList(urls), enhanced: [] } });

test('http goes through a tunnel, so that an answer is always that of the site', async (t) => {
  const port = await serve(t, ({ headers, url }, response) => {
    response.writeHead(502, { server: 'squid/6.6', 'x-squid-error': 'ERR_CONNECT_FAIL 111' });
    response.end(JSON.stringify({ url, ...headers }));
  });
  const proxy = await startProxy({ credentials: 'me:p@ss', target: () => ({ host: '127.0.0.1', port }) });
  t.after(() => proxy.stop());
  const egress = openEgress(t, through(`http://me:p%40ss@127.0.0.1:${proxy.port}`));
  const response = await egress.request(get('http://shop.example/list?page=2'), soon());
  const seen = JSON.parse(await textOf(response)) as Record<string, string>;
  assert.deepEqual(proxy.asked, ['CONNECT shop.example:80']);
  assert.deepEqual([response.status, seen.url, seen.host], [502, '/list?page=2', 'shop.example']);
  assert.equal(seen['proxy-authorization'], undefined);
});

test('where the proxy opens no tunnels, http goes to it in absolute form, and this is remembered for the port', async (t) => {
  const port = await serve(t, ({ headers, url, method }, response) =>
    response.end(JSON.stringify({ url, method, ...headers })),
  );
  for (const tunnels of [400, 403, 405, 501, 'hang up'] as const) {
    const proxy = await startProxy({ tunnels, credentials: 'me:pass', target: () => ({ host: '127.0.0.1', port }) });
    t.after(() => proxy.stop());
    const egress = openEgress(t, through(`http://me:pass@127.0.0.1:${proxy.port}`));
    const request = { ...get('http://shop.example/list?page=2'), method: 'POST', body: 'x' } as const;
    const seen = JSON.parse(await textOf(await egress.request(request, soon()))) as Record<string, string>;
    assert.deepEqual([seen.url, seen.method, seen.host], ['/list?page=2', 'POST', 'shop.example'], String(tunnels));
    assert.equal(seen['proxy-authorization'], undefined);
    await textOf(await egress.request(get('http://shop.example/'), soon()));
    assert.deepEqual(proxy.asked, [
      'CONNECT shop.example:80',
      'POST http://shop.example/list?page=2',
      'GET http://shop.example/',
    ]);
    await textOf(await egress.request(get('http://shop.example:8080/'), soon()));
    assert.equal(proxy.asked[3], 'CONNECT shop.example:8080');
  }
});

test('an error page of the proxy itself is no answer of the site, also in absolute form', async (t) => {
  const marks: [status: number, headers: Record<string, string>][] = [
    [407, {}],
    [403, { 'X-Squid-Error': 'ERR_ACCESS_DENIED 0' }],
    [503, { 'X-Squid-Error': 'ERR_DNS_FAIL 0', Server: 'squid/6.6' }],
    [502, { 'Proxy-Status': 'gateway; error=connection_refused' }],
    [504, { 'Proxy-Connection': 'close' }],
    [500, { 'X-Squid-Error': 'ERR_CANNOT_FORWARD 0' }],
    [502, { Server: 'mitmproxy 11.0' }],
    [503, { Server: 'tinyproxy/1.11.1' }],
    [502, { 'Proxy-Agent': 'gate/1' }],
  ];
  for (const [status, headers] of marks) {
    const proxy = await startProxy({ tunnels: 405, status, page: { headers, text: '<h1>Gateway error</h1>' } });
    t.after(() => proxy.stop());
    await assert.rejects(
      openEgress(t, through(proxy.url)).request(get('http://shop.example/'), soon()),
      { code: 'SCRAPE_PROXY_SELECTION_ERROR', message: new RegExp(`status ${status}`) },
      JSON.stringify(headers),
    );
  }
});

test('an error that a site sends through a proxy without tunnels stays its answer', async (t) => {
  const answers: [status: number, headers: Record<string, string>][] = [
    [404, { 'Proxy-Connection': 'keep-alive', Via: '1.1 gate (squid/6.6)' }],
    [502, { Server: 'nginx', Via: '1.1 varnish' }],
    [503, { Server: 'cloudflare' }],
    [200, { Server: 'squid/6.6', 'Proxy-Agent': 'gate/1' }],
  ];
  for (const [status, headers] of answers) {
    const proxy = await startProxy({ tunnels: 405, status, page: { headers, text: 'of the site' } });
    t.after(() => proxy.stop());
    const response = await openEgress(t, through(proxy.url)).request(get('http://shop.example/'), soon());
    assert.deepEqual([response.status, await textOf(response)], [status, 'of the site']);
  }
});

test('https goes through a tunnel, with TLS to the site itself', async (t) => {
  const server = createSecureServer(selfSignedCertificate(['shop.example']), (request, response) =>
    response.end(`secret of ${request.headers.host}`),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const proxy = await startProxy({ credentials: 'me:pass', target: () => ({ host: '127.0.0.1', port }) });
  t.after(() => proxy.stop());
  const egress = openEgress(t, through(`http://me:pass@127.0.0.1:${proxy.port}`));
  const response = await egress.request(get('https://shop.example/'), soon());
  assert.equal(await textOf(response), 'secret of shop.example');
  // The second one is without verification, since the certificate is invalid.
  assert.deepEqual(proxy.asked, ['CONNECT shop.example:443', 'CONNECT shop.example:443']);
  await assert.rejects(egress.request(get('https://shop.example/', { verifyTls: true }), soon()), {
    code: 'SCRAPE_SSL_ERROR',
  });
  await egress.close();
});

test('a direct route never uses the proxy, and an enhanced one falls back to the basic list', async (t) => {
  const port = await serve(t, (_request, response) => response.end('straight'));
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port }) });
  t.after(() => proxy.stop());
  const egress = openEgress(t, through(proxy.url));
  await textOf(await egress.request(get(`http://127.0.0.1:${port}/`, { route: 'direct' }), soon()));
  assert.deepEqual(proxy.asked, []);
  await textOf(await egress.request(get('http://shop.example/', { route: 'enhanced' }), soon()));
  assert.equal(proxy.asked.length, 1);
  assert.deepEqual([egress.hasProxy('basic'), egress.hasProxy('enhanced')], [true, false]);
});

test('a proxy failure is reported as such, without credentials in the message', async (t) => {
  const refusing = await startProxy({ credentials: 'me:right' });
  const failing = await startProxy({ status: 502 });
  t.after(() => Promise.all([refusing.stop(), failing.stop()]));
  const cases: [proxy: string, target: string, message: RegExp, retry: boolean][] = [
    [`http://me:wrong-secret@127.0.0.1:${refusing.port}`, 'http://shop.example/', /407/, false],
    [`http://me:wrong-secret@127.0.0.1:${refusing.port}`, 'https://shop.example/', /407/, false],
    [`http://me:wrong-secret@127.0.0.1:${failing.port}`, 'http://shop.example/', /could not reach.*502/, false],
    [`http://me:wrong-secret@127.0.0.1:${failing.port}`, 'https://shop.example/', /could not reach.*502/, false],
    ['http://me:wrong-secret@127.0.0.1:59999', 'http://shop.example/', /TRAWL_PROXY/, true],
    ['http://me:wrong-secret@127.0.0.1:59999', 'https://shop.example/', /TRAWL_PROXY/, true],
  ];
  for (const [proxy, target, message, retry] of cases) {
    await assert.rejects(
      openEgress(t, through(proxy)).request(get(target), soon()),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'SCRAPE_PROXY_SELECTION_ERROR');
        assert.match(error.message, message);
        assert.doesNotMatch(`${error.message} ${error.cause}`, /secret/);
        assert.equal(isRetryable(error), retry, target);
        return true;
      },
    );
  }
});

test('the country picks the proxy; otherwise those for any country take turns, and the first one is the last resort', () => {
  const pick = (list: string, countries: (string | undefined)[]) => {
    const proxies = createProxyList(parseProxyList(list));
    return countries.map((country) => proxies.pick(country)?.url.hostname);
  };
  assert.deepEqual(pick('DE=http://de, http://a, http://b', ['DE', 'de', undefined, undefined, 'FR']), [
    'de',
    'de',
    'a',
    'b',
    'a',
  ]);
  assert.deepEqual(pick('DE=http://de, fr=http://fr', [undefined, 'US', 'FR']), ['de', 'de', 'fr']);
  assert.deepEqual(pick('', [undefined, 'US']), [undefined, undefined]);
});

test('a password may contain escapes, non-ASCII letters and a bare percent sign', () => {
  const [proxy] = parseProxyList('http://me:p%40ß100%@host:8080');
  assert.equal(Buffer.from(proxy?.authorization?.slice(6) ?? '', 'base64').toString(), 'me:p@ß100%');
  assert.equal(proxy?.url.href, 'http://host:8080/');
});

test('a bad entry is named by its position, because it may contain a password', () => {
  for (const list of ['http://ok, socks5://me:secret@x', 'http://ok, DE=secret', 'http://ok, http://']) {
    assert.throws(
      () => parseProxyList(list),
      (error: Error) => /^entry 2 is not/.test(error.message) && !/secret/.test(error.message),
    );
  }
});
