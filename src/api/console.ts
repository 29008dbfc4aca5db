// The console over HTTP: one page for all its addresses, and its files, which were compressed when they were built.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../contracts/errors/errors.ts';
import { chapterFormerly } from '../contracts/manual.ts';

const FOLDER = join(import.meta.dirname, '../../web/console/built');
const NOTICES = join(import.meta.dirname, '../../THIRD-PARTY-NOTICES.txt');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const ASSET_NAME = /^[\w-]{1,100}\.(?:js|css|svg)$/;
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** Nothing inline and nothing from elsewhere. Previews of pages are frames without scripts, which inherit these rules. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Other sites get none. With `no-referrer`, some browsers would hide from ourselves which page has sent a request.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
  'x-robots-tag': 'noindex',
};
const NOT_BUILT = 'The console has not been built. Run `node scripts/setup.mjs` in the folder of Trawl.';

export function serveConsole(app: FastifyInstance): void {
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = join(FOLDER, 'page.html');
    if (!existsSync(file)) throw new ServiceError('NOT_FOUND', { message: NOT_BUILT });
    return sendFile(file, request, reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8'));
  };
  app.get('/', sendPage);
  app.get('/console', sendPage);
  app.get('/console/*', sendPage);
  app.get('/console/manual/:name', async (request, reply) => {
    const location = chapterFormerly((request.params as { name: string }).name);
    return location === undefined ? sendPage(request, reply) : reply.redirect(location, 308);
  });
  app.get('/console/third-party-notices.txt', async (request, reply) =>
    sendFile(NOTICES, request, reply.headers(PAGE_HEADERS).type('text/plain; charset=utf-8')),
  );
  app.get('/console/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = join(FOLDER, 'assets', name);
    if (!ASSET_NAME.test(name) || !existsSync(file)) throw new ServiceError('NOT_FOUND');
    // The name contains a hash of the content.
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' });
    return sendFile(file, request, reply.type(TYPES[extname(name)]!));
  });
}

async function sendFile(file: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isAccepted = acceptedEncodings(headers['accept-encoding']?.toString());
  const [encoding, suffix] = ENCODINGS.find(([name, end]) => isAccepted(name) && existsSync(file + end)) ?? [
    undefined,
    '',
  ];
  reply.header('vary', 'Accept-Encoding');
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(await readFile(file + suffix));
}

/** RFC 9110, 12.5.3: names in any case; a weight of zero refuses one. */
export function acceptedEncodings(header = ''): (name: string) => boolean {
  const weights = header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()));
  const accepted = new Set(weights.filter(([, ...rest]) => !rest.some(isZero)).map(([name]) => name));
  return (name) => accepted.has(name);
}

const isZero = (parameter: string): boolean => /^q\s*=\s*0(?:\.0*)?$/.test(parameter);
