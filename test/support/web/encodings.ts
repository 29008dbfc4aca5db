// encoding.test: compressed answers, valid and broken. bomb.test: small answers that decompress to huge ones.
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Handler, page, reply, type Site } from './reply.ts';

const text = page('Compressed', `<p>${'The same sentence comes again and again. '.repeat(200)}</p>`);

const encoded = (encoding: string, encode: (content: string) => Uint8Array): Handler =>
  reply(() => encode(text), { headers: { 'content-encoding': encoding, vary: 'accept-encoding' } });

const cut = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length - 20);

const encodingSite: Site = {
  '/identity': encoded('identity', Buffer.from),
  '/gzip': encoded('gzip', gzipSync),
  '/x-gzip': encoded('x-gzip', gzipSync),
  '/br': encoded('br', (content) => brotliCompressSync(content)),
  '/zstd': encoded('zstd', (content) => zstdCompressSync(content)),
  '/deflate': encoded('deflate', deflateSync),
  '/deflate-raw': encoded('deflate', deflateRawSync),
  '/gzip-then-br': encoded('gzip, br', (content) => brotliCompressSync(gzipSync(content))),
  '/upper-case': encoded('GZIP', gzipSync),
  '/two-members': encoded('gzip', (content) =>
    Buffer.concat([gzipSync(content.slice(0, 500)), gzipSync(content.slice(500))]),
  ),
  '/trailing-bytes': encoded('gzip', (content) => Buffer.concat([gzipSync(content), Buffer.from('trailing')])),
  '/unknown': encoded('x-own', Buffer.from),
  '/not-really-gzip': encoded('gzip', Buffer.from),
  '/cut-gzip': encoded('gzip', (content) => cut(gzipSync(content))),
  '/cut-br': encoded('br', (content) => cut(brotliCompressSync(content))),
  '/empty-gzip': reply('', { headers: { 'content-encoding': 'gzip' } }),
  '/no-content': reply('', { status: 204, type: '', headers: { 'content-encoding': 'gzip' } }),
};

const BOMB_BYTES = 120 * 1024 * 1024;
const endless = () => Buffer.alloc(BOMB_BYTES, '<p>boom</p>\n');
const quickest = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

// Not at once: the service under test may be in this process.
const gzip = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gzip);
const deflate = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.deflate);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress);
const zstd = promisify<Uint8Array, Uint8Array>(zlib.zstdCompress);

const bomb = (encoding: string, make: () => Uint8Array | Promise<Uint8Array>): Handler =>
  reply(make, { headers: { 'content-encoding': encoding } });

const bombSite: Site = {
  '/gzip': bomb('gzip', () => gzip(endless(), { level: 1 })),
  '/br': bomb('br', () => brotli(endless(), quickest)),
  '/zstd': bomb('zstd', () => zstd(endless())),
  '/deflate': bomb('deflate', () => deflate(endless(), { level: 1 })),
  '/nested': bomb('gzip, gzip', async () => gzipSync(await gzip(endless(), { level: 1 }))),
  '/many-layers': bomb(Array(12).fill('gzip').join(', '), () => {
    let layers: Uint8Array = Buffer.from(text);
    for (let layer = 0; layer < 12; layer += 1) layers = gzipSync(layers);
    return layers;
  }),
  '/deep': ({ response, query }) => {
    const depth = Number(query.get('depth') ?? 100_000);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<title>Deep</title>${'<div>'.repeat(depth)}the bottom${'</div>'.repeat(depth)}`);
  },
  '/attributes': reply(
    () => `<p ${Array.from({ length: 50_000 }, (_, n) => `a${n}="${n}"`).join(' ')}>Many attributes.</p>`,
  ),
  '/unclosed': reply(() => `<title>Unclosed</title>${'<b><i><a href="/x">'.repeat(20_000)}still here`),
};

export const encodings: Record<string, Site> = { 'encoding.test': encodingSite, 'bomb.test': bombSite };
