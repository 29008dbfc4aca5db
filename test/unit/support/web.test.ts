// The small web does what it claims, because other tests rely on it.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { fullTest, test } from '../../support/full-run.ts';
import { charsetSamples } from '../../support/web/charsets.ts';
import { generatedArticle } from '../../support/web/generated.ts';
import { page, reply } from '../../support/web/reply.ts';
import { startWeb, type Web } from '../../support/web.ts';

let web: Web;
let agent: Agent;
let secureAgent: Agent;

// Every name leads to loopback here; the service uses the DNS server of the web.
const lookup = (
  _host: string,
  _options: unknown,
  done: (error: null, addresses: { address: string; family: number }[]) => void,
) => done(null, [{ address: '127.0.0.1', family: 4 }]);

before(async () => {
  web = await startWeb({ 'own.test': { '/': reply(page('My own host')) } });
  agent = new Agent({ connect: { lookup: lookup as never } });
  secureAgent = new Agent({ allowH2: true, connect: { lookup: lookup as never, ca: web.certificate } });
});
after(async () => {
  await Promise.all([agent.destroy(), secureAgent.destroy()]);
  await web.stop();
});

const get = (
  host: string,
  path: string,
  options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Dispatcher.ResponseData> => request(web.url(host, path), { dispatcher: agent, ...options });

const bytesOf = async (response: Dispatcher.ResponseData) => Buffer.from(await response.body.arrayBuffer());

test('many hosts answer on one port, hosts can be added, and an unknown host is named in the answer', async () => {
  assert.match(await (await get('news.test', '/article/1')).body.text(), /<article>/);
  assert.match(await (await get('own.test', '/')).body.text(), /My own host/);
  assert.match(await (await get('unheard-of.test', '/')).body.text(), /Welcome to unheard-of\.test/);
  assert.equal((await get('news.test', '/no/such/page')).statusCode, 404);
});

test('requests are counted by host, path and query', async () => {
  for (const path of ['/count', '/count?a=1', '/count?a=1']) await (await get('echo.test', path)).body.dump();
  assert.equal(web.requests('echo.test', '/count'), 3);
  assert.equal(web.requests('echo.test', '/count?a=1'), 2);
  assert.equal(web.requests('echo.test', '/never'), 0);
});

test('the HTTPS port has a trusted certificate for its hosts and speaks HTTP/2', async () => {
  const response = await request(web.secureUrl('echo.test', '/secure'), { dispatcher: secureAgent });
  const seen = (await response.body.json()) as { protocol: string; host: string };
  assert.deepEqual([seen.protocol, seen.host], ['HTTP/2.0', 'echo.test']);
  await assert.rejects(request(web.secureUrl('not-in-the-certificate.test'), { dispatcher: secureAgent }), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  await assert.rejects(request(web.secureUrl('echo.test'), { dispatcher: agent }), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});

test('every compressed page decodes to the same text', async () => {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    identity: (bytes) => bytes,
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
    deflate: inflateSync,
    'deflate-raw': inflateRawSync,
    'gzip-then-br': (bytes) => gunzipSync(brotliDecompressSync(bytes)),
    'two-members': gunzipSync,
  };
  const texts = new Set<string>();
  for (const [name, decode] of Object.entries(decoders)) {
    const response = await get('encoding.test', `/${name}`);
    texts.add(decode(await bytesOf(response)).toString());
  }
  assert.equal(texts.size, 1);
});

fullTest('decompression bombs are small on the wire', async () => {
  for (const path of ['/gzip', '/br', '/zstd', '/deflate', '/nested']) {
    const bytes = await bytesOf(await get('bomb.test', path));
    assert.ok(bytes.length < 1_000_000, `${path} has ${bytes.length} bytes`);
  }
});

test('pages in legacy charsets decode to their sample', async () => {
  const cases = [
    ['/shift-jis/undeclared', 'shift_jis', 'japanese'],
    ['/euc-jp/meta', 'euc-jp', 'japanese'],
    ['/gb18030/header', 'gb18030', 'chinese'],
    ['/windows-1251/meta', 'windows-1251', 'russian'],
    ['/koi8-r/header', 'koi8-r', 'russian'],
    ['/utf-16le/mark', 'utf-16le', 'russian'],
    ['/utf-16be/mark', 'utf-16be', 'russian'],
    ['/latin1/header', 'windows-1252', 'french'],
  ] as const;
  for (const [path, charset, sample] of cases) {
    const text = new TextDecoder(charset, { fatal: true }).decode(await bytesOf(await get('charset.test', path)));
    assert.ok(text.includes(charsetSamples[sample]), path);
  }
});

test('redirects lead where they say', async () => {
  const location = async (path: string) => {
    const { statusCode, headers, body } = await get('redirect.test', path);
    await body.dump();
    return [statusCode, headers.location];
  };
  for (const status of [301, 302, 303, 307, 308])
    assert.deepEqual(await location(`/to/${status}?url=http://10.0.0.1/`), [status, 'http://10.0.0.1/']);
  assert.deepEqual(await location('/chain/25'), [302, '/chain/24']);
  assert.deepEqual(await location('/chain/0'), [302, '/landed']);
  assert.deepEqual(await location('/cross-host'), [302, web.url('other.test', '/landed')]);
});

test('a flaky page fails as often as requested, then works', async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1)
    statuses.push((await get('fault.test', '/flaky/503/2?mine')).statusCode);
  assert.deepEqual(statuses, [503, 503, 200]);
  await assert.rejects(get('fault.test', '/flaky/0/1?mine'));
  assert.equal((await get('fault.test', '/flaky/0/1?mine')).statusCode, 200);
});

test('retry-after comes in seconds or as a date', async () => {
  assert.equal((await get('fault.test', '/retry-after/429?value=3')).headers['retry-after'], '3');
  const date = (await get('fault.test', '/retry-after/503?value=date')).headers['retry-after'];
  assert.ok(Date.parse(String(date)) > Date.now() - 1000);
});

test('broken responses break, and stuck ones stay stuck until the client leaves', async () => {
  for (const path of ['/reset', '/garbage', '/half-headers', '/wrong-length', '/huge-header'])
    await assert.rejects(get('fault.test', path), path);
  for (const path of ['/cut/length', '/cut/chunked'])
    await assert.rejects(bytesOf(await get('fault.test', path)), path);
  for (const path of ['/stalled-headers', '/stalled-body', '/trickle?ms=20', '/huge-declared']) {
    const signal = AbortSignal.timeout(150);
    const read = async () => bytesOf(await get('fault.test', path, { signal }));
    await assert.rejects(read(), { name: 'TimeoutError' }, path);
  }
});

test('the huge page streams as many megabytes as asked for', async () => {
  const response = await get('fault.test', '/huge?mb=5');
  let total = 0;
  for await (const chunk of response.body) total += (chunk as Buffer).length;
  assert.ok(total >= 5 * 1024 * 1024 && total < 6 * 1024 * 1024);
});

test('the page behind a cookie needs the cookie', async () => {
  assert.equal((await get('cookie.test', '/room')).statusCode, 403);
  assert.equal((await get('cookie.test', '/room', { headers: { cookie: 'a=b; door=open' } })).statusCode, 200);
});

test('generated articles are the same every time and between 5 and 101 KB', async () => {
  const sizes = Array.from({ length: 200 }, (_, number) => generatedArticle(number).length);
  assert.ok(
    Math.min(...sizes) >= 4_000 && Math.max(...sizes) <= 103_000,
    `${Math.min(...sizes)} to ${Math.max(...sizes)}`,
  );
  assert.ok(Math.max(...sizes) > 90_000 && Math.min(...sizes) < 8_000);
  assert.equal(await (await get('load.test', '/article/7')).body.text(), generatedArticle(7));
});

test('the catalogue lists every one of its 1,000 items exactly once', async () => {
  const items: string[] = [];
  for (let number = 1; number <= 50; number += 1) {
    const text = await (await get('shop.test', `/products?page=${number}`)).body.text();
    items.push(...[...text.matchAll(/href="(\/item\/\d+)"/g)].map((match) => match[1]!));
  }
  assert.equal(items.length, 1000);
  assert.equal(new Set(items).size, 1000);
  assert.equal((await get('shop.test', items.at(-1)!)).statusCode, 200);
  assert.equal((await get('shop.test', '/products?page=51')).statusCode, 404);
});
