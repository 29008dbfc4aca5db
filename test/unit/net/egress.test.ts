import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { isRetryable } from '../../../src/net/wire-failure.ts';
import { startDns } from '../../support/dns.ts';
import { selfSignedCertificate } from '../../support/web/certificate.ts';
import { bytesOf, get, openEgress, serve, soon, textOf } from './local.ts';

test('a request sends the given headers and returns status, headers, cookies and body', async (t) => {
  const port = await serve(t, (request, response) => {
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], vary: 'x', 'x-seen': `${request.headers['x-own']}` });
    response.end(`${request.method} ${request.url} ${request.headers.host}`);
  });
  const response = await openEgress(t).request(
    get(`http://127.0.0.1:${port}/a?b=c#d`, { headers: { 'X-Own': 'yes' } }),
    soon(),
  );
  assert.equal(response.status, 201);
  assert.deepEqual(response.setCookies, ['a=1', 'b=2']);
  assert.equal(response.headers['x-seen'], 'yes');
  assert.equal(response.headers['set-cookie'], undefined);
  assert.equal(await textOf(response), `GET /a?b=c 127.0.0.1:${port}`);
});

test('connection headers are ours: a given Host or Proxy-Authorization is not sent', async (t) => {
  const port = await serve(t, ({ headers }, response) => response.end(JSON.stringify(headers)));
  const headers = { Host: 'other.example', 'Proxy-Authorization': 'Basic x', Connection: 'close', TE: 'trailers' };
  const response = await openEgress(t).request(get(`http://127.0.0.1:${port}/`, { headers }), soon());
  const seen = JSON.parse(await textOf(response)) as Record<string, string>;
  assert.equal(seen.host, `127.0.0.1:${port}`);
  assert.equal(seen['proxy-authorization'], undefined);
  assert.equal(seen.te, undefined);
});

test("a header that HTTP cannot carry is the caller's mistake", async (t) => {
  const egress = openEgress(t);
  const unsendable: Record<string, string>[] = [{ 'bad name': 'x' }, { good: 'line\nbreak' }, { good: 'Ω' }];
  for (const headers of unsendable) {
    await assert.rejects(egress.request(get('http://127.0.0.1:59999/', { headers }), soon()), { code: 'BAD_REQUEST' });
  }
});

test('a connection is reused for the next request to the same site', async (t) => {
  const ports = new Set<number>();
  const port = await serve(t, (request, response) => {
    ports.add(request.socket.remotePort ?? 0);
    response.end('ok');
  });
  const egress = openEgress(t);
  for (const end of ['read', 'read', 'destroy', 'read']) {
    const response = await egress.request(get(`http://127.0.0.1:${port}/`), soon());
    if (end === 'read') await textOf(response);
    else response.body.destroy();
    await delay(20);
  }
  assert.equal(ports.size, 1);
});

async function serveTls(t: TestContext): Promise<number> {
  const { key, cert } = selfSignedCertificate(['secure.test']);
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    response.end(`HTTP/${request.httpVersion} ${request.headers[':authority']}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('HTTP/2 is used where it is offered, with the name of the site and not its address', async (t) => {
  const dns = await startDns({ 'secure.test': ['127.0.0.1'] });
  t.after(() => dns.stop());
  const port = await serveTls(t);
  const egress = openEgress(t, { dnsServers: [dns.address] });
  const response = await egress.request(get(`https://secure.test:${port}/`), soon());
  assert.equal(await textOf(response), `HTTP/2.0 secure.test:${port}`);
  await egress.close();
});

test('an untrusted certificate is refused when certificates are verified', async (t) => {
  const port = await serveTls(t);
  const egress = openEgress(t);
  await assert.rejects(egress.request(get(`https://127.0.0.1:${port}/`, { verifyTls: true }), soon()), {
    code: 'SCRAPE_SSL_ERROR',
    message: /skipTlsVerification/,
  });
  const plain = await serve(t, (_request, response) => response.end());
  await assert.rejects(egress.request(get(`https://127.0.0.1:${plain}/`), soon()), {
    code: 'SCRAPE_SSL_ERROR',
    message: /^The TLS handshake with the site failed\./,
  });
  await egress.close();
});

test('the next address is tried when one does not answer', async (t) => {
  const dns = await startDns({ 'two.test': ['127.0.0.9', '127.0.0.1'] });
  t.after(() => dns.stop());
  const port = await serve(t, (_request, response) => response.end('second'));
  const egress = openEgress(t, { dnsServers: [dns.address] });
  assert.equal(await textOf(await egress.request(get(`http://two.test:${port}/`), soon())), 'second');
});

test('a name is resolved once, and the connection goes to that address', async (t) => {
  const dns = await startDns({ 'moving.test': (nth) => [nth === 1 ? '127.0.0.1' : '10.0.0.1'] });
  t.after(() => dns.stop());
  const port = await serve(t, (_request, response) => response.end('pinned'));
  const egress = openEgress(t, { dnsServers: [dns.address] });
  assert.equal(await textOf(await egress.request(get(`http://moving.test:${port}/`), soon())), 'pinned');
  assert.equal(dns.questions.length, 2, 'one question for each address family');
});

test('an unknown name is a DNS failure and is not retryable', async (t) => {
  const dns = await startDns();
  t.after(() => dns.stop());
  const egress = openEgress(t, { dnsServers: [dns.address] });
  await assert.rejects(egress.request(get('http://nowhere.test/'), soon()), (error) => {
    assert.equal((error as { code: string }).code, 'SCRAPE_DNS_RESOLUTION_ERROR');
    return !isRetryable(error);
  });
});

test('the service refuses itself under every name and address, even allow-listed ones, but only on its own port', async (t) => {
  const port = await serve(t, (_request, response) => response.end('self'), '0.0.0.0');
  const other = await serve(t, (_request, response) => response.end('other'), '0.0.0.0');
  const dns = await startDns({ 'me.test': ['127.0.0.1'] });
  t.after(() => dns.stop());
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((entry) => !entry.internal && entry.family === 'IPv4');
  const hosts = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    'me.test',
    ...(outside ? [outside.address] : []),
  ];
  let own: { address: string; port: number } | undefined;
  const egress = openEgress(t, {
    allow: parseAllowList('0.0.0.0/0, ::/0, me.test'),
    dnsServers: [dns.address],
    ownAddress: () => own,
  });
  assert.equal(await textOf(await egress.request(get(`http://127.0.0.1:${port}/`), soon())), 'self');
  await egress.close();

  own = { address: '0.0.0.0', port };
  const again = openEgress(t, {
    allow: parseAllowList('0.0.0.0/0, ::/0, me.test'),
    dnsServers: [dns.address],
    ownAddress: () => own,
  });
  for (const host of hosts) {
    await assert.rejects(again.request(get(`http://${host}:${port}/`), soon()), { code: 'UNSUPPORTED_SITE' }, host);
    assert.equal(await textOf(await again.request(get(`http://${host}:${other}/`), soon())), 'other', host);
  }
});

test('connection failures are retryable and described in plain words, without the address', async (t) => {
  const port = await serve(t, (request) => request.socket.resetAndDestroy());
  const dns = await startDns({ 'broken.test': ['127.0.0.1'] });
  t.after(() => dns.stop());
  const egress = openEgress(t, { dnsServers: [dns.address] });
  for (const url of [`http://broken.test:${port}/`, 'http://broken.test:59999/']) {
    await assert.rejects(egress.request(get(url), soon()), (error: Error & { code: string }) => {
      assert.equal(error.code, 'SCRAPE_SITE_ERROR');
      assert.doesNotMatch(error.message, /127/);
      return isRetryable(error);
    });
  }
});

test('a non-HTTP response is reported as invalid HTTP', async (t) => {
  const server = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.7\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await assert.rejects(openEgress(t).request(get(`http://127.0.0.1:${port}/`), soon()), {
    code: 'SCRAPE_SITE_ERROR',
    message: /^The site did not answer with valid HTTP\./,
  });
});

test("an abort ends the request at every stage at once, with the caller's reason", async (t) => {
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const port = await serve(t, (_request, response) => void response.write('first'));
  const { port: silentPort } = silent.address() as AddressInfo;
  const mute = createSocket('udp4').bind(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const egress = openEgress(t, { dnsServers: [`127.0.0.1:${mute.address().port}`] });
  const reason = new Error('the budget is spent');
  const abortSoon = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    return controller.signal;
  };
  const refusal = (error: unknown) => error === reason;
  await assert.rejects(egress.request(get('http://never-resolved.test/'), AbortSignal.abort(reason)), refusal);
  await assert.rejects(egress.request(get('http://slow-name.test/'), abortSoon()), refusal);
  await assert.rejects(egress.request(get(`http://127.0.0.1:${silentPort}/`), abortSoon()), refusal);
  const late = new AbortController();
  const begun = await egress.request(get(`http://127.0.0.1:${port}/`), late.signal);
  const body = bytesOf(begun);
  late.abort(reason);
  await assert.rejects(body, refusal);
  await egress.close();
});
