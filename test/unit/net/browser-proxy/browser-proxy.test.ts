import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { parseProxyList } from '../../../../src/net/connections/upstream-proxies.ts';
import { startDns } from '../../../support/dns.ts';
import { startProxy } from '../../../support/proxy.ts';
import { openEgress, serve } from '../local.ts';
import { ask, authorization, connectTo, getFrom, head, openClient, serveTcp } from './client.ts';

const basic = { proxyClass: 'basic' } as const;

test('clients without a pass get a 407, and no connection is made for them', async (t) => {
  const reached: string[] = [];
  const port = await serve(t, ({ url = '' }, response) => void response.end(`visit ${reached.push(url)}`));
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const revoked = proxy.issuePass(basic);
  revoked.revoke();
  const attempts = [
    [],
    [authorization({ ...pass, password: 'wrong' })],
    [authorization({ ...pass, password: '' })],
    [authorization({ ...pass, password: `${pass.password}x` })],
    [authorization({ ...pass, username: 'nobody' })],
    [authorization(revoked)],
    [`Proxy-Authorization: Bearer ${pass.password}`],
    [`Authorization: Basic ${Buffer.from(`${pass.username}:${pass.password}`).toString('base64')}`],
  ];
  for (const lines of attempts) {
    for (const request of [`GET http://127.0.0.1:${port}/ HTTP/1.1`, `CONNECT 127.0.0.1:${port} HTTP/1.1`]) {
      const answer = await ask(t, proxy, request, 'Host: x', ...lines);
      assert.match(answer, /^HTTP\/1\.1 407 .*\r\nProxy-Authenticate: Basic /, `${request} ${lines}`);
    }
  }
  assert.deepEqual(reached, []);
  assert.match(await ask(t, proxy, ...getFrom(`http://127.0.0.1:${port}/`, pass, 'Connection: close')), /visit 1/);
});

test('http requests are forwarded with end-to-end headers and without hop-by-hop headers, both ways', async (t) => {
  const port = await serve(t, ({ rawHeaders, url }, response) => {
    response.writeHead(201, {
      'Set-Cookie': ['a=1', 'b=2'],
      'X-Kept': 'yes',
      'X-Hop': 'no',
      'Proxy-Authenticate': 'Basic realm="theirs"',
      Connection: 'keep-alive, X-Hop',
    });
    response.end(JSON.stringify({ url, rawHeaders }));
  });
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const target = `http://127.0.0.1:${port}/list?page=2`;
  const hops = ['Proxy-Connection: keep-alive', 'TE: trailers', 'Connection: close, X-Secret', 'X-Secret: 1'];
  const lines = getFrom(target, pass, 'Cookie: c=1', 'X-Own: Yes', ...hops).with(1, 'Host: other.example');
  const [headers = '', body = ''] = (await ask(t, proxy, ...lines)).split('\r\n\r\n');
  assert.match(headers, /^HTTP\/1\.1 201 /);
  assert.match(headers, /set-cookie: a=1\r\nset-cookie: b=2\r\n/);
  assert.match(headers, /x-kept: yes/);
  assert.doesNotMatch(headers, /x-hop|proxy-authenticate/i);
  const { url, rawHeaders } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1));
  assert.equal(url, '/list?page=2');
  assert.deepEqual(rawHeaders, [
    ...['host', `127.0.0.1:${port}`, 'connection', 'keep-alive'],
    ...['Cookie', 'c=1', 'X-Own', 'Yes'],
  ]);
  assert.equal(pass.bytes, body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1).length);
  assert.equal(pass.problem(), undefined);
});

test('a client connection is reused for several requests, including their bodies', async (t) => {
  const port = await serve(t, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('content-length', '40').end(`${request.method} <${body}>`.padEnd(40, '.'));
  });
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const post = (...lines: string[]) =>
    head(...getFrom(`http://127.0.0.1:${port}/`, pass, ...lines).with(0, `POST http://127.0.0.1:${port}/ HTTP/1.1`));
  const client = await openClient(t, proxy, `${post('Content-Length: 5')}hello`);
  await client.until('POST <hello>...');
  client.socket.write(`${post('Transfer-Encoding: chunked')}5\r\nworld\r\n0\r\n\r\n`);
  await client.until('POST <world>...');
  client.socket.write(post('Content-Length: 0'));
  await client.until('POST <>...');
  client.socket.write(head(...getFrom(`http://127.0.0.1:${port}/`, pass, 'Upgrade: websocket', 'Connection: upgrade')));
  await client.until('GET <>...');
});

test('CONNECT opens a tunnel for any protocol, including bytes sent early', async (t) => {
  const { port } = await serveTcp(t, (socket) => void socket.on('data', (chunk) => socket.write(`<${chunk}>`)));
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const client = await openClient(t, proxy, `${head(...connectTo(`127.0.0.1:${port}`, pass))}early`);
  assert.match(await client.until('<early>'), /^HTTP\/1\.1 200 [^\r]*\r\n\r\n<early>$/);
  client.socket.write('late');
  await client.until('<late>');
  assert.equal(pass.bytes, '<early><late>'.length);
});

test('forbidden targets get an answer without details, and the pass records the reason', async (t) => {
  const { port, sockets } = await serveTcp(t, () => {});
  const dns = await startDns({
    'inside.test': ['127.0.0.1'],
    'mixed.test': ['93.184.215.14', '127.0.0.1'],
    'open.test': ['127.0.0.2'],
  });
  t.after(() => dns.stop());
  const proxy = await openEgress(t, {
    allow: parseAllowList('127.0.0.2'),
    dnsServers: [dns.address],
    ownAddress: () => ({ address: '127.0.0.2', port }),
    publicUrl: 'https://trawl.example',
  }).openBrowserProxy();
  const hosts = [
    '127.0.0.1',
    '127.0.0.2',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
  ];
  const names = ['localhost', 'LOCALHOST', 'localhost..', 'inside.test', 'mixed.test', 'open.test', 'redis'];
  const withPort = [...hosts, ...names].map((host) => `${host}:${port}`);
  for (const authority of [...withPort, 'trawl.example:80', 'site.test:22', 'metadata.google.internal:80']) {
    for (const scheme of ['http', 'connect']) {
      const pass = proxy.issuePass(basic);
      const url = `http://${authority}/`;
      const lines = scheme === 'http' ? getFrom(url, pass) : connectTo(authority, pass);
      const answer = await ask(t, proxy, ...lines);
      assert.match(answer, /^HTTP\/1\.1 403 Forbidden\r\n(Content-Length: \d\r\n){1,2}Connection: close\r\n\r\n$/, url);
      assert.equal(pass.problem()?.code, 'UNSUPPORTED_SITE', url);
      assert.equal(pass.problem(new URL(url))?.code, 'UNSUPPORTED_SITE', url);
      assert.equal(pass.problem(new URL('http://elsewhere.test/')), undefined);
      assert.doesNotMatch(pass.problem()?.message ?? '', /127\.|10\.0/);
    }
  }
  const pass = proxy.issuePass(basic);
  assert.match(await ask(t, proxy, ...connectTo('trawl.example:443', pass)), /^HTTP\/1\.1 403 /);
  assert.equal(sockets.length, 0);
});

test('requests that are not proxy requests are refused with 400', async (t) => {
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  for (const target of ['/', 'https://site.test/', 'ftp://site.test/', 'file:///etc/passwd', 'http://']) {
    assert.match(await ask(t, proxy, ...getFrom(target, pass)), /^HTTP\/1\.1 400 /, target);
  }
  for (const authority of [
    'site.test',
    'site.test:',
    'a@site.test:443',
    'site.test:443/x',
    'site.test:99999',
    ':443',
  ]) {
    assert.match(await ask(t, proxy, ...connectTo(authority, pass)), /^HTTP\/1\.1 400 /, authority);
  }
  const withUser = await ask(t, proxy, ...getFrom('http://me:secret@site.test/', pass));
  assert.match(withUser, /^HTTP\/1\.1 403 /);
});

test('a name is resolved once, and the tunnel goes to that address', async (t) => {
  const dns = await startDns({ 'moving.test': (nth) => [nth === 1 ? '127.0.0.1' : '10.0.0.1'] });
  t.after(() => dns.stop());
  const { port } = await serveTcp(t, (socket) => void socket.end('pinned'));
  const proxy = await openEgress(t, { dnsServers: [dns.address] }).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  assert.match(await ask(t, proxy, ...connectTo(`moving.test:${port}`, pass)), /\r\n\r\npinned$/);
  assert.equal(dns.questions.length, 2, 'one question for each address family');
  assert.match(await ask(t, proxy, ...connectTo(`moving.test:${port}`, pass)), /^HTTP\/1\.1 403 /);
});

test('the upstream proxy of the class and country carries both kinds, and never receives forbidden targets', async (t) => {
  const port = await serve(t, ({ url, headers }, response) => response.end(JSON.stringify({ url, ...headers })));
  const target = () => ({ host: '127.0.0.1', port });
  const plain = await startProxy({ target });
  const german = await startProxy({ target, credentials: 'me:pass' });
  t.after(() => Promise.all([plain.stop(), german.stop()]));
  const egress = openEgress(t, {
    proxies: {
      basic: parseProxyList(plain.url),
      enhanced: parseProxyList(`http://none.invalid, DE=http://me:pass@127.0.0.1:${german.port}`),
    },
  });
  const proxy = await egress.openBrowserProxy();
  const pass = proxy.issuePass({ proxyClass: 'enhanced', country: 'DE' });
  const http = await ask(t, proxy, ...getFrom('http://shop.example/a?b', pass, 'Connection: close'));
  assert.match(http, /"url":"\/a\?b","host":"shop.example"/);
  assert.doesNotMatch(http, /proxy-authorization/);
  const tunnel = await openClient(t, proxy, head(...connectTo('shop.example:443', pass)));
  await tunnel.until('200 Connection');
  tunnel.socket.write(head('GET /inside HTTP/1.1', 'Host: shop.example'));
  await tunnel.until('"url":"/inside"');
  assert.deepEqual(german.asked, ['CONNECT shop.example:80', 'CONNECT shop.example:443']);

  const other = proxy.issuePass(basic);
  await ask(t, proxy, ...getFrom('http://shop.example/', other, 'Connection: close'));
  for (const authority of ['10.0.0.1:80', 'redis.:80', '[::1]:443']) {
    assert.match(await ask(t, proxy, ...connectTo(authority, other)), /^HTTP\/1\.1 403 /);
  }
  assert.deepEqual(plain.asked, ['CONNECT shop.example:80']);
});

test('a failure of the upstream proxy is reported as such', async (t) => {
  const refusing = await startProxy({ credentials: 'me:right' });
  t.after(() => refusing.stop());
  const list = parseProxyList(`http://me:wrong-secret@127.0.0.1:${refusing.port}`);
  const proxy = await openEgress(t, { proxies: { basic: list, enhanced: [] } }).openBrowserProxy();
  for (const lines of [getFrom, connectTo]) {
    const pass = proxy.issuePass(basic);
    const answer = await ask(t, proxy, ...lines(lines === getFrom ? 'http://shop.example/' : 'shop.example:443', pass));
    assert.match(answer, /^HTTP\/1\.1 502 /);
    assert.equal(pass.problem()?.code, 'SCRAPE_PROXY_SELECTION_ERROR');
    assert.doesNotMatch(`${answer} ${pass.problem()?.message}`, /secret/);
  }
});
