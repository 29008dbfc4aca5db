// Everything of a media file that comes over the wire: playlists, keys, files and segments, by the rules of all requests.
import { ServiceError } from '../contracts/errors.ts';
import type { ProxyClass } from '../contracts/page.ts';
import type { Egress, EgressResponse } from '../net/egress.ts';
import { followRedirects } from '../net/redirects.ts';
import { readStart } from '../util/bounded-read.ts';
import type { Allowance } from './allowance.ts';
import { HEAD_BYTES } from './container.ts';
import { accessDenied, tooLarge, unusable } from './refusals.ts';

/** How the files of a page are asked for. */
export interface MediaWay {
  pageUrl: string;
  /** Who asks: User-Agent and languages. */
  headers: Record<string, string>;
  /** The caller's own headers: they go to the origin of the page and to no other. */
  ownHeaders: Record<string, string>;
  proxyClass: ProxyClass;
  country?: string;
  verifyTls: boolean;
}

export interface Slice {
  start: number;
  length: number;
}

export interface Arriving {
  /** After redirects. */
  url: string;
  /** How long the whole file is, when a slice of it came and the site says so. */
  total?: number;
  /** The first kilobytes, or all of a short file. */
  head: Uint8Array;
  /** From the beginning; what is left is to be read or dropped. */
  all: AsyncIterable<Uint8Array>;
  drop(): void;
}

export interface Downloads {
  open(url: string, slice: Slice | undefined, signal: AbortSignal): Promise<Arriving>;
}

const AMBIGUOUS = /[\\\u0000-\u0020\u007f]/;
/** Which part of a file is sent, and how, is not the caller's to say. */
const OURS = new Set(['range', 'if-range', 'accept-encoding']);
const DENIED = new Set([401, 403, 407, 451]);

/** Where a playlist leads. Throws UNSUPPORTED_SITE for what is not an address of the web. */
export function mediaUrl(text: string, base: string): string {
  const url = AMBIGUOUS.test(text.trim().replaceAll(' ', '%20')) ? null : URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError('UNSUPPORTED_SITE', { message: 'The media lead to an address that is refused.' });
  }
  return url.href;
}

export function createDownloads(egress: Egress, way: MediaWay, allowance: Allowance): Downloads {
  const ownHeaders = Object.fromEntries(
    Object.entries(way.ownHeaders)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !OURS.has(name)),
  );
  async function ask(url: string, slice: Slice | undefined, signal: AbortSignal): Promise<EgressResponse> {
    const target = new URL(mediaUrl(url, url));
    const page = new URL(way.pageUrl);
    const isHome = target.origin === page.origin;
    const { response } = await followRedirects(
      egress,
      {
        url: target,
        headers: {
          // As browsers have it: other sites learn where a request comes from, not which page.
          referer: isHome ? page.href.replace(/#.*$/s, '') : `${page.origin}/`,
          ...way.headers,
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(slice && { range: `bytes=${slice.start}-${slice.start + slice.length - 1}` }),
        },
        firstOriginHeaders: isHome ? ownHeaders : {},
        route: way.proxyClass,
        country: way.country,
        verifyTls: way.verifyTls,
        maxBytes: Math.max(1, allowance.left),
      },
      {},
      signal,
    );
    const { status } = response;
    if (status === 200 || status === 206) return response;
    response.body.destroy();
    if (DENIED.has(status)) throw accessDenied(`The site denies access to the media file (status ${status}).`);
    throw unusable(`The media file could not be fetched: the site answered with status ${status}.`);
  }

  return {
    async open(url, slice, signal) {
      const response = await ask(url, slice, signal).catch(asMedia);
      const body = counted(response.body, allowance);
      // Servers that know no ranges send all of it; none may send more.
      const start = response.status === 200 ? (slice?.start ?? 0) : 0;
      const chunks = (slice ? cut(body, { start, length: slice.length }) : body)[Symbol.asyncIterator]();
      const { head, all } = await peek(chunks).catch(asMedia);
      return { url: response.url.href, total: totalOf(response), head, all, drop: () => response.body.destroy() };
    },
  };
}

/** A short file whole: playlists and keys. */
export async function readAll({ all, drop }: Arriving, maxBytes: number): Promise<Buffer> {
  const { bytes, isWhole } = await readStart(all, maxBytes);
  if (isWhole) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  drop();
  throw unusable('A playlist, or a key, is larger than any that is needed.');
}

function totalOf({ status, headers }: EgressResponse): number | undefined {
  const total = Number(/^bytes \d+-\d+\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1]);
  return status === 206 && total > 0 ? total : undefined;
}

/** The limit of a page is, here, that of a media file. */
function asMedia(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'SCRAPE_PAGE_TOO_LARGE' ? tooLarge() : error;
}

async function* counted(body: EgressResponse['body'], allowance: Allowance): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      allowance.spend(chunk.length);
      yield chunk;
    }
  } catch (error) {
    asMedia(error);
  } finally {
    body.destroy();
  }
}

async function* cut(body: AsyncIterable<Uint8Array>, { start, length }: Slice): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of body) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, start + length - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at >= start + length) return;
  }
}

async function peek(chunks: AsyncIterator<Uint8Array>): Promise<Pick<Arriving, 'head' | 'all'>> {
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  const head = Buffer.concat(first);
  return { head, all: joined(head, { [Symbol.asyncIterator]: () => chunks }) };
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}
