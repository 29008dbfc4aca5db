// Requests that look like Chrome's: the handshake, the limits, and the rules that hold for the native library, too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { EgressSettings } from '../../../../src/net/egress.ts';
import { chromeHeaders } from '../../../../src/net/impersonation/chrome-headers.ts';
import { startDns } from '../../../support/dns.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { CHROME } from '../../../support/walls/chrome.ts';
import { readClientHello, type TlsFingerprint } from '../../../support/walls/client-hello.ts';
import { bytesOf, get, openEgress, serve, soon, textOf } from '../local.ts';

const OPTIONS = { proxyClass: 'enhanced', verifyTls: true, userAgent: 'Mozilla/5.0 Chrome/156.0.0.0' } as const;

async function openClient(t: TestContext, settings: Partial<EgressSettings> = {}) {
  const client = await openEgress(t, settings).impersonate(OPTIONS);
  t.after(client.close);
  return client;
}

test('the ClientHello is that of Chrome, signature algorithms included', async (t) => {
  const hello = Promise.withResolvers<TlsFingerprint>();
  const server = createServer((socket) => {
    const chunks: Buffer[] = [];
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        chunks.push(chunk);
        const read = readClientHello(Buffer.concat(chunks));
        if (!read) return;
        hello.resolve(read);
        socket.destroy();
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = await openClient(t);
  const { port } = server.address() as AddressInfo;
  const failed = assert.rejects(client.request(get(`https://localhost:${port}/`), soon()), {
    code: 'SCRAPE_SITE_ERROR',
    message: /^The site broke the connection off\./,
  });
  assert.deepEqual(await hello.promise, CHROME.tls);
  await failed;
});

test('redirects are returned, cookies are separate, compressed bodies are read', async (t) => {
  const port = await serve(t, ({ url }, response) => {
    if (url === '/moved') {
      const location = Buffer.from('/größe').toString('latin1');
      return response.writeHead(302, { location, 'set-cookie': ['a=1', 'b=2'] }).end();
    }
    response.setHeader('content-encoding', 'gzip').end(gzipSync('The text. '.repeat(100)));
  });
  const client = await openClient(t);
  const moved = await client.request(get(`http://localhost:${port}/moved`), soon());
  assert.deepEqual([moved.status, moved.setCookies], [302, ['a=1', 'b=2']]);
  // As from Node: the bytes as Latin-1.
  assert.equal(moved.headers.location, Buffer.from('/größe').toString('latin1'));
  const page = await client.request(get(`http://localhost:${port}/page`), soon());
  assert.equal((await textOf(page)).length, 1000);
});

fullTest('large pages, decompression bombs and twice compressed pages are refused', async (t) => {
  const bomb = gzipSync(Buffer.alloc(60_000_000));
  const port = await serve(t, ({ url }, response) => {
    if (url === '/large') return response.end(Buffer.alloc(2_000_000, 'x'));
    if (url === '/twice') return response.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipSync('x')));
    response.setHeader('content-encoding', 'gzip').end(bomb);
  });
  const read = async (path: string, more = {}) =>
    bytesOf(await (await openClient(t)).request({ ...get(`http://localhost:${port}${path}`), ...more }, soon()));
  await assert.rejects(read('/large'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
  await assert.rejects(read('/bomb'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
  await assert.rejects(read('/bomb', { maxBytes: 100_000_000 }), /decompression bombs/);
  await assert.rejects(read('/twice'), /compressed the page more than once/);
});

test('a site that does not answer, stops in its answer or is given up ends in time', async (t) => {
  const port = await serve(t, ({ url }, response) => {
    if (url === '/stops') response.write('The beginning');
  });
  const client = await openClient(t, { limits: { headersMs: 200, idleMs: 200 } });
  await assert.rejects(client.request(get(`http://localhost:${port}/silent`), soon()), /did not answer in time/);
  const stopping = await client.request(get(`http://localhost:${port}/stops`), soon());
  await assert.rejects(bytesOf(stopping), /stopped in the middle/);

  const patient = await openClient(t);
  const caller = new AbortController();
  const given = patient.request(get(`http://localhost:${port}/silent`), caller.signal);
  caller.abort(new Error('given up'));
  await assert.rejects(given, /given up/);
});

test('private addresses are refused, by their number and behind a name', async (t) => {
  const dns = await startDns({ 'inside.test': ['10.0.0.7'] });
  t.after(() => dns.stop());
  const client = await openClient(t, { dnsServers: [dns.address] });
  for (const url of ['http://10.0.0.7/', 'https://10.0.0.7/', 'http://inside.test/', 'https://inside.test/']) {
    await assert.rejects(client.request(get(url), soon()), { code: 'UNSUPPORTED_SITE' }, url);
  }
});

test('after its end a client reaches nothing', async (t) => {
  const port = await serve(t, (_request, response) => response.end('x'));
  const client = await openClient(t);
  client.close();
  await assert.rejects(client.request(get(`http://localhost:${port}/`), soon()), { code: 'SCRAPE_SITE_ERROR' });
});

test('plain http gets no hints, and a header that is not sent is not added by the library', () => {
  const given = { 'User-Agent': 'Chrome/156', 'sec-ch-ua': '"Chromium"', 'sec-fetch-mode': 'navigate', 'x-own': '1' };
  const sent = (url: string) =>
    Object.fromEntries(chromeHeaders(new URL(url), given).filter(([, value]) => value !== ''));
  assert.deepEqual(Object.keys(sent('https://a.test/')), [
    ...['sec-ch-ua', 'user-agent', 'sec-fetch-mode', 'priority', 'x-own'],
  ]);
  assert.deepEqual(sent('http://a.test/'), {
    'user-agent': 'Chrome/156',
    'accept-encoding': 'gzip, deflate',
    'x-own': '1',
  });
});
