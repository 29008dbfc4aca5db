import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fullTest, test } from '../../../support/full-run.ts';
import { bytesOf, get, openEgress, serve, soon, textOf } from '../local.ts';

const MB = 1024 * 1024;
const TEXT = 'Sphinx of black quartz, judge my vow. '.repeat(200);

/** Serves each path of the table with its encoding. */
const encoded =
  (table: Record<string, [encoding: string, body: Uint8Array | string]>) =>
  (request: { url?: string }, response: ServerResponse) => {
    const [encoding, body] = table[request.url ?? ''] ?? ['', ''];
    response.setHeader('content-encoding', encoding).end(body);
  };

test('every common content encoding is decoded, including stacked ones', async (t) => {
  const port = await serve(
    t,
    encoded({
      '/gzip': ['gzip', gzipSync(TEXT)],
      '/x-gzip': ['X-Gzip', gzipSync(TEXT)],
      '/zlib': ['deflate', deflateSync(TEXT)],
      '/raw': ['deflate', deflateRawSync(TEXT)],
      '/br': ['br', brotliCompressSync(TEXT)],
      '/zstd': ['zstd', zstdCompressSync(TEXT)],
      '/stacked': ['gzip, identity, br', brotliCompressSync(gzipSync(TEXT))],
      '/members': ['gzip', Buffer.concat([gzipSync(TEXT.slice(0, 100)), gzipSync(TEXT.slice(100))])],
      '/cut': ['gzip', gzipSync(TEXT).subarray(0, -8)],
      '/lie': ['gzip', TEXT],
      '/unknown': ['utf-8', TEXT],
    }),
  );
  const egress = openEgress(t);
  for (const path of ['gzip', 'x-gzip', 'zlib', 'raw', 'br', 'zstd', 'stacked', 'members', 'cut', 'lie', 'unknown']) {
    const response = await egress.request(get(`http://127.0.0.1:${port}/${path}`), soon());
    assert.equal(await textOf(response), TEXT, path);
  }
});

test('an unknown encoding is left undecoded, and so are the encodings under it', async (t) => {
  const packed = gzipSync(TEXT);
  const port = await serve(t, encoded({ '/': ['gzip, compress', packed] }));
  assert.deepEqual(await bytesOf(await openEgress(t).request(get(`http://127.0.0.1:${port}/`), soon())), packed);
});

test('an empty body is accepted with any announced encoding', async (t) => {
  const port = await serve(t, encoded({ '/': ['gzip', ''] }));
  const egress = openEgress(t);
  assert.equal(await textOf(await egress.request(get(`http://127.0.0.1:${port}/`), soon())), '');
  const head = await egress.request(get(`http://127.0.0.1:${port}/`, { method: 'HEAD' }), soon());
  assert.equal(await textOf(head), '');
});

test('corrupt compression is distinguished from a broken connection', async (t) => {
  const damaged = gzipSync(TEXT);
  damaged.fill(0xff, 10, 20); // right after the header: an invalid block type
  const port = await serve(t, encoded({ '/': ['gzip', damaged] }));
  await assert.rejects(bytesOf(await openEgress(t).request(get(`http://127.0.0.1:${port}/`), soon())), {
    code: 'SCRAPE_SITE_ERROR',
    message: /damaged/,
  });
});

test('a page over the limit is refused by its announced size, its transferred size or its decoded size', async (t) => {
  const noise = Buffer.from(Array.from({ length: 3 * MB }, (_, i) => (i * i * 7919) >> 7));
  const port = await serve(t, (request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 3 * MB);
    if (request.url === '/unfolding') response.setHeader('content-encoding', 'br').end(brotliCompressSync(noise));
    else response.end(noise);
  });
  const egress = openEgress(t, { maxPageBytes: 2 * MB });
  for (const path of ['announced', 'arriving', 'unfolding']) {
    const reading = egress.request(get(`http://127.0.0.1:${port}/${path}`), soon()).then(bytesOf);
    await assert.rejects(reading, { code: 'SCRAPE_PAGE_TOO_LARGE' }, path);
  }
});

fullTest(
  'decompression bombs are stopped early in every encoding, alone and nested, while small blank pages pass',
  async (t) => {
    const zeros = Buffer.alloc(24 * MB);
    const gzip = gzipSync(zeros);
    const port = await serve(
      t,
      encoded({
        '/gzip': ['gzip', gzip],
        '/br': ['br', brotliCompressSync(zeros)],
        '/zstd': ['zstd', zstdCompressSync(zeros)],
        '/deflate': ['deflate', deflateSync(zeros)],
        '/nested': ['gzip, gzip', gzipSync(gzip)],
        '/hidden': ['gzip, br', brotliCompressSync(Buffer.alloc(24 * MB, gzipSync('')))],
        '/blank': ['gzip', gzipSync(Buffer.alloc(2 * MB))],
      }),
    );
    const egress = openEgress(t, { maxPageBytes: 500 * MB });
    for (const path of ['gzip', 'br', 'zstd', 'deflate', 'nested', 'hidden']) {
      let unfolded = 0;
      const { body } = await egress.request(get(`http://127.0.0.1:${port}/${path}`), soon());
      await assert.rejects(
        async () => {
          for await (const chunk of body) unfolded += chunk.length;
        },
        { code: 'SCRAPE_PAGE_TOO_LARGE', message: /bomb/ },
        path,
      );
      assert.ok(unfolded < 6 * MB, `${path} decoded to ${unfolded} bytes`);
    }
    assert.equal((await bytesOf(await egress.request(get(`http://127.0.0.1:${port}/blank`), soon()))).length, 2 * MB);
  },
);

test('too many stacked encodings are refused', async (t) => {
  const port = await serve(t, encoded({ '/': ['gzip, gzip, gzip, gzip', gzipSync(TEXT)] }));
  await assert.rejects(openEgress(t).request(get(`http://127.0.0.1:${port}/`), soon()), { code: 'SCRAPE_SITE_ERROR' });
});

test('headers over the limit are refused', async (t) => {
  const port = await serve(t, (_request, response) => response.setHeader('x-long', 'x'.repeat(10_000)).end());
  const egress = openEgress(t, { limits: { headerBytes: 8_000 } });
  await assert.rejects(egress.request(get(`http://127.0.0.1:${port}/`), soon()), { code: 'SCRAPE_PAGE_TOO_LARGE' });
});

test('slow senders are cut off: no headers, slow headers, a stalled body, a slow body', async (t) => {
  const port = await serve(t, (request, response) => {
    const drip = (text: string, every: number) => {
      const timer = setInterval(() => response.socket?.write(text), every);
      request.socket.on('close', () => clearInterval(timer));
    };
    if (request.url === '/silent') return;
    if (request.url === '/header-drips') {
      response.socket?.write('HTTP/1.1 200 OK\r\nx-long: ');
      return drip('x', 50);
    }
    response.socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nstart');
    if (request.url === '/body-drips') drip('x', 50);
  });
  // One limit at a time, so that on a busy machine no other limit is reached first.
  const patient = { headersMs: 60_000, idleMs: 60_000, slowMs: 60_000, minBytesPerSecond: 1_000 };
  const read = (path: string, limits: Partial<typeof patient>) =>
    openEgress(t, { limits: { ...patient, ...limits } })
      .request(get(`http://127.0.0.1:${port}${path}`), soon())
      .then(bytesOf);
  await Promise.all([
    assert.rejects(read('/silent', { headersMs: 400 }), {
      code: 'SCRAPE_SITE_ERROR',
      message: /did not answer in time/,
    }),
    assert.rejects(read('/header-drips', { headersMs: 400 }), {
      code: 'SCRAPE_SITE_ERROR',
      message: /did not answer in time/,
    }),
    assert.rejects(read('/stalled', { idleMs: 400 }), { code: 'SCRAPE_SITE_ERROR', message: /stopped in the middle/ }),
    assert.rejects(read('/body-drips', { slowMs: 600 }), { code: 'SCRAPE_SITE_ERROR', message: /too slowly/ }),
  ]);
});
