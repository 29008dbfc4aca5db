import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { oncePerHost } from '../../../../src/net/checked-requests.ts';
import { startDns } from '../../../support/dns.ts';
import { openEgress, serve } from '../local.ts';
import { ask, closeOf, connectTo, getFrom, head, openClient, serveTcp } from './client.ts';

const basic = { proxyClass: 'basic' } as const;
const MEGABYTE = 1024 * 1024;

test('a pass that exceeds its bytes loses all its connections for good', async (t) => {
  const { port } = await serveTcp(t, (socket) => void socket.write('x'.repeat(600)));
  const web = await serve(t, ({ url }, response) => void response.end('x'.repeat(url === '/small' ? 100 : 5_000)));
  const proxy = await openEgress(t).openBrowserProxy();
  for (const over of [`http://127.0.0.1:${web}/large`, undefined]) {
    const pass = proxy.issuePass({ ...basic, maxBytes: 1_000 });
    const silent = await openClient(t, proxy, head(...connectTo(`127.0.0.1:${port}`, pass)));
    await silent.until('x'.repeat(600));
    await ask(t, proxy, ...getFrom(`http://127.0.0.1:${web}/small`, pass, 'Connection: close'));
    assert.equal(pass.bytes, 700);
    assert.equal(pass.problem(), undefined);
    await ask(t, proxy, ...(over ? getFrom(over, pass) : connectTo(`127.0.0.1:${port}`, pass)));
    await silent.end();
    assert.equal(pass.problem()?.code, 'SCRAPE_PAGE_TOO_LARGE');
    assert.equal(await ask(t, proxy, ...getFrom(`http://127.0.0.1:${web}/small`, pass)), '');
  }
});

test('revoking a pass ends its tunnels, running responses and connection attempts', async (t) => {
  const dns = await startDns({ 'slow.test': ['127.0.0.1'] });
  const open = await serveTcp(t, () => {});
  const waiting = await serve(t, (_request, response) => {
    response.write('the beginning');
    response.once('close', () => closed.resolve());
  });
  const closed = Promise.withResolvers<void>();
  await dns.stop();
  const proxy = await openEgress(t, { dnsServers: [dns.address] }).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const other = proxy.issuePass(basic);
  const tunnels = await Promise.all(
    [pass, other].map((owner) => openClient(t, proxy, head(...connectTo(`127.0.0.1:${open.port}`, owner)))),
  );
  await Promise.all(tunnels.map((tunnel) => tunnel.until('200 Connection')));
  const request = await openClient(t, proxy, head(...getFrom(`http://127.0.0.1:${waiting}/`, pass)));
  await request.until('the beginning');
  const resolving = await openClient(t, proxy, head(...connectTo('slow.test:443', pass)));
  const [mine, others] = tunnels;
  const targetSide = open.sockets.map(closeOf);
  pass.revoke();
  await Promise.all([mine!.end(), request.end(), resolving.end(), closed.promise, Promise.race(targetSide)]);
  assert.equal(pass.problem(), undefined, 'revoking was recorded as a problem');
  assert.equal(others!.socket.destroyed, false);
  assert.equal(open.sockets.filter((socket) => !socket.destroyed).length, 1);
});

test('a restricted pass loses its tunnels to refused hosts and gets no more, and each host is asked about once', async (t) => {
  const dns = await startDns({ '*.test': ['127.0.0.1'] });
  t.after(() => dns.stop());
  const { port } = await serveTcp(t, () => {});
  const web = await serve(t, (_request, response) => void response.end('inside'));
  const proxy = await openEgress(t, { dnsServers: [dns.address] }).openBrowserProxy();
  const [pass, other] = [proxy.issuePass(basic), proxy.issuePass(basic)];
  const tunnel = async (host: string, owner = pass) => {
    const client = await openClient(t, proxy, head(...connectTo(`${host}:${port}`, owner)));
    await client.until('\r\n\r\n');
    return client;
  };
  const get = (host: string) => ask(t, proxy, ...getFrom(`http://${host}:${web}/`, pass, 'Connection: close'));
  const [kept, lost, elsewhere] = [
    await tunnel('good.test'),
    await tunnel('evil.test'),
    await tunnel('evil.test', other),
  ];

  const asked: string[] = [];
  const check = oncePerHost(async ({ host, hostname }) => {
    asked.push(host);
    if (hostname === 'evil.test') throw new ServiceError('unsafe_domain_blocked');
  });
  const release = await pass.restrict(check, new AbortController().signal);
  await lost.end();
  assert.deepEqual([kept.socket.destroyed, elsewhere.socket.destroyed], [false, false]);
  for (let time = 0; time < 3; time += 1) {
    assert.match((await tunnel('evil.test')).text(), /^HTTP\/1\.1 502 /);
    assert.match(await get('evil.test'), /^HTTP\/1\.1 502 /);
    assert.match(await get('good.test'), /^HTTP\/1\.1 200 [\s\S]*inside/);
  }
  const hosts = [port, web].flatMap((at) => [`good.test:${at}`, `evil.test:${at}`]);
  assert.deepEqual(asked.toSorted(), hosts.toSorted());
  assert.equal(pass.problem(new URL(`https://evil.test:${port}/`))?.code, 'unsafe_domain_blocked');
  release();
  assert.match((await tunnel('evil.test')).text(), /^HTTP\/1\.1 200 /);
});

test('a tunnel ends when either side closes it, after delivering what was sent', async (t) => {
  const { port, sockets } = await serveTcp(t, (socket) => void socket.once('data', () => socket.end('goodbye')));
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const polite = await openClient(t, proxy, `${head(...connectTo(`127.0.0.1:${port}`, pass))}hello`);
  assert.match(await polite.end(), /goodbye$/);
  const rude = await openClient(t, proxy, head(...connectTo(`127.0.0.1:${port}`, pass)));
  await rude.until('200 Connection');
  const gone = closeOf(sockets[1]!.resume());
  rude.socket.destroy();
  await gone;
});

test('a silent tunnel ends, and so does a request to a site that never answers', async (t) => {
  const { port } = await serveTcp(t, () => {});
  const limits = { tunnelIdleMs: 100, headersMs: 100 };
  const proxy = await openEgress(t, { limits }).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  assert.match(await ask(t, proxy, ...connectTo(`127.0.0.1:${port}`, pass)), /^HTTP\/1\.1 200 /);
  assert.equal(pass.problem(), undefined);
  assert.match(await ask(t, proxy, ...getFrom(`http://127.0.0.1:${port}/`, pass)), /^HTTP\/1\.1 502 /);
  assert.match(pass.problem()?.message ?? '', /did not answer in time/);
});

test('connection failures are reported to the pass only', async (t) => {
  const dns = await startDns();
  t.after(() => dns.stop());
  const asking = await serve(t, (_request, response) => {
    response.writeHead(407, { 'proxy-authenticate': 'Basic realm="theirs"' }).end();
  });
  const garbled = await serveTcp(t, (socket) => void socket.end('no HTTP at all\r\n\r\n'));
  const closing = await serveTcp(t, (socket) => void socket.destroy());
  const wordy = await serve(t, (_request, response) => {
    response.setHeader('x-long', 'x'.repeat(3_000)).end();
  });
  const limits = { headerBytes: 2_048 };
  const proxy = await openEgress(t, { dnsServers: [dns.address], limits }).openBrowserProxy();
  const failures: [url: string, code: string, message: RegExp][] = [
    ['http://unknown.test/', 'SCRAPE_DNS_RESOLUTION_ERROR', /resolved/],
    [`http://127.0.0.1:${asking}/`, 'SCRAPE_SITE_ERROR', /407/],
    [`http://127.0.0.1:${garbled.port}/`, 'SCRAPE_SITE_ERROR', /valid HTTP/],
    [`http://127.0.0.1:${closing.port}/`, 'SCRAPE_SITE_ERROR', /broke the connection off/],
    [`http://127.0.0.1:${wordy}/`, 'SCRAPE_PAGE_TOO_LARGE', /headers/],
    ['http://127.0.0.1:59999/', 'SCRAPE_SITE_ERROR', /refused the connection/],
  ];
  for (const [url, code, message] of failures) {
    const pass = proxy.issuePass(basic);
    const answer = await ask(t, proxy, ...getFrom(url, pass));
    assert.equal(
      answer,
      head('HTTP/1.1 502 Bad Gateway', 'Content-Length: 0', 'Content-Length: 1', 'Connection: close'),
    );
    assert.equal(pass.problem(new URL(url))?.code, code, url);
    assert.match(pass.problem()?.message ?? '', message);
  }
  const pass = proxy.issuePass(basic);
  assert.match(await ask(t, proxy, ...connectTo('unknown.test:443', pass)), /^HTTP\/1\.1 502 /);
  assert.equal(pass.problem(new URL('https://unknown.test/x'))?.code, 'SCRAPE_DNS_RESOLUTION_ERROR');
  assert.match(
    await ask(t, proxy, ...getFrom('http://a.test/', pass, `X-Long: ${'x'.repeat(3_000)}`)),
    /^HTTP\/1\.1 431 /,
  );
});

test('a target that does not accept the connection in time fails', async (t) => {
  const dns = await startDns({ 'slow.test': ['127.0.0.1'] });
  await dns.stop();
  const limits = { connectMs: 100 };
  const proxy = await openEgress(t, { dnsServers: [dns.address], limits }).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  assert.match(await ask(t, proxy, ...connectTo('slow.test:443', pass)), /^HTTP\/1\.1 502 /);
  assert.notEqual(pass.problem(), undefined);
});

test('a truncated response is truncated for the browser too', async (t) => {
  const { port } = await serveTcp(t, (socket) => {
    socket.once('data', () => socket.end(`${head('HTTP/1.1 200 OK', 'Content-Length: 100')}only this`));
  });
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const answer = await ask(t, proxy, ...getFrom(`http://127.0.0.1:${port}/`, pass));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 100\r\n/i);
  assert.match(pass.problem()?.message ?? '', /broke the connection off/);
});

test('a request on a stale connection is retried for GET but not for POST', async (t) => {
  const asked: string[] = [];
  const { port } = await serveTcp(t, (socket) => {
    let requests = 0;
    socket.on('data', (chunk) => {
      asked.push(chunk.toString().split(' ', 1)[0] ?? '');
      requests += 1;
      if (requests > 1) socket.destroy();
      else socket.write(`${head('HTTP/1.1 200 OK', 'Content-Length: 2')}ok`);
    });
  });
  const proxy = await openEgress(t).openBrowserProxy();
  const pass = proxy.issuePass(basic);
  const url = `http://127.0.0.1:${port}/`;
  const get = getFrom(url, pass, 'Connection: close');
  assert.match(await ask(t, proxy, ...get), /ok$/);
  assert.match(await ask(t, proxy, ...get), /ok$/);
  assert.match(await ask(t, proxy, ...get.with(0, `POST ${url} HTTP/1.1`)), /^HTTP\/1\.1 502 /);
  assert.deepEqual(asked, ['GET', 'GET', 'GET', 'POST']);
});

test('a reader that stops reading pauses the sender', async (t) => {
  let written = 0;
  const { port } = await serveTcp(t, (socket) => {
    const more = () => {
      while (socket.write(Buffer.alloc(MEGABYTE))) written += 1;
      written += 1;
    };
    socket.on('drain', more).once('data', (chunk) => {
      if (chunk.toString().startsWith('GET')) socket.write(head('HTTP/1.1 200 OK', 'Connection: close'));
      more();
    });
  });
  const proxy = await openEgress(t).openBrowserProxy();
  for (const kind of ['tunnel', 'http']) {
    const pass = proxy.issuePass(basic);
    const lines = kind === 'http' ? getFrom(`http://127.0.0.1:${port}/`, pass) : connectTo(`127.0.0.1:${port}`, pass);
    const client = await openClient(t, proxy, `${head(...lines)}${kind === 'http' ? '' : 'go'}`);
    await client.until('\r\n\r\n');
    client.socket.pause();
    let before = -1;
    while (written !== before) {
      before = written;
      assert.ok(written < 100, `${kind}: ${written} MB were accepted for a reader that reads nothing`);
      await delay(300);
    }
    pass.revoke();
    written = 0;
  }
});

test('closing leaves no connection and no port, and refuses new proxies', async (t) => {
  const { port, sockets } = await serveTcp(t, () => {});
  const egress = openEgress(t);
  const proxy = await egress.openBrowserProxy();
  assert.equal(await egress.openBrowserProxy(), proxy);
  const pass = proxy.issuePass(basic);
  const tunnel = await openClient(t, proxy, head(...connectTo(`127.0.0.1:${port}`, pass)));
  await tunnel.until('200 Connection');
  const idle = await openClient(t, proxy, 'GET http://half.a/');
  const targetGone = closeOf(sockets[0]!.resume());
  await Promise.all([egress.close(), tunnel.end(), idle.end(), targetGone]);
  const again = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const [error] = await once(again, 'error');
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED');
  await assert.rejects(egress.openBrowserProxy(), { code: 'SERVICE_UNAVAILABLE' });
  await proxy.close();
});
