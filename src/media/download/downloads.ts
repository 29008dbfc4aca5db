// Downloads playlists, keys, files and segments, by the same rules as all other requests.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { HEAD_BYTES } from '../../markup/media-container.ts';
import type { CheckUrl } from '../../net/check-url.ts';
import { checkRequests } from '../../net/checked-requests.ts';
import type { Egress, EgressResponse } from '../../net/egress.ts';
import type { CallerHeaders } from '../../net/http/caller-headers.ts';
import { followRedirects } from '../../net/redirects.ts';
import type { ProxyClass } from '../../page/page.ts';
import { readStart } from '../../util/bytes/bounded-read.ts';
import { accessDenied, tooLarge, unusable } from '../refusals.ts';
import type { Allowance } from './allowance.ts';

/** How to request the media of a page. */
export interface MediaAccess {
  pageUrl: string;
  /** User-Agent and languages. */
  headers: Record<string, string>;
  callerHeaders: CallerHeaders;
  proxyClass: ProxyClass;
  country?: string;
  verifyTls: boolean;
  /** Throws for hosts that nothing may be fetched from. */
  check?: CheckUrl;
}

export interface Slice {
  start: number;
  length: number;
}

export interface MediaDownload {
  /** After redirects. */
  url: string;
  /** Size of the whole file, if only a slice was requested and the site reports it. */
  total?: number;
  /** The first kilobytes, or all of a short file. */
  head: Uint8Array;
  /** The whole body, including `head`. Read it all, or call `drop`. */
  all: AsyncIterable<Uint8Array>;
  drop(): void;
}

export interface Downloads {
  open(url: string, slice: Slice | undefined, signal: AbortSignal): Promise<MediaDownload>;
}

const AMBIGUOUS = /[\\\u0000-\u0020\u007f]/;
/** Headers that callers cannot override. */
const OURS = new Set(['range', 'if-range', 'accept-encoding']);
const DENIED = new Set([401, 403, 407, 451]);

/** Resolves an address in a playlist. Throws UNSUPPORTED_SITE unless it is a plain http or https URL. */
export function mediaUrl(text: string, base: string): string {
  const url = AMBIGUOUS.test(text.trim().replaceAll(' ', '%20')) ? null : URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError('UNSUPPORTED_SITE', { message: 'The media refers to an address that is not allowed.' });
  }
  return url.href;
}

export function createDownloads(egress: Egress, access: MediaAccess, allowance: Allowance): Downloads {
  const client = checkRequests(egress, access.check);
  async function ask(url: string, slice: Slice | undefined, signal: AbortSignal): Promise<EgressResponse> {
    const target = new URL(mediaUrl(url, url));
    const page = new URL(access.pageUrl);
    const isSameOrigin = target.origin === page.origin;
    const { response } = await followRedirects(
      client,
      {
        url: target,
        headers: {
          // As in browsers: other sites see the origin, not the page.
          referer: isSameOrigin ? page.href.replace(/#.*$/s, '') : `${page.origin}/`,
          ...access.headers,
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(slice && { range: `bytes=${slice.start}-${slice.start + slice.length - 1}` }),
        },
        route: access.proxyClass,
        country: access.country,
        verifyTls: access.verifyTls,
        maxBytes: Math.max(1, allowance.left),
      },
      { headersFor: (hop) => withoutOurs(access.callerHeaders.fromPage(hop, page)) },
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
      const response = await ask(url, slice, signal).catch(asMediaError);
      const body = counted(response.body, allowance);
      // Servers without range support send the whole file.
      const start = response.status === 200 ? (slice?.start ?? 0) : 0;
      const chunks = (slice ? cut(body, { start, length: slice.length }) : body)[Symbol.asyncIterator]();
      const { head, all } = await peek(chunks).catch(asMediaError);
      return { url: response.url.href, total: totalOf(response), head, all, drop: () => response.body.destroy() };
    },
  };
}

const withoutOurs = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.has(name)));

/** Reads a short file: a playlist or a key. */
export async function readAll({ all, drop }: MediaDownload, maxBytes: number): Promise<Buffer> {
  const { bytes, isWhole } = await readStart(all, maxBytes);
  if (isWhole) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  drop();
  throw unusable('A playlist or key is too large.');
}

function totalOf({ status, headers }: EgressResponse): number | undefined {
  const total = Number(/^bytes \d+-\d+\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1]);
  return status === 206 && total > 0 ? total : undefined;
}

/** The page size limit stands for the media size limit here. */
function asMediaError(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'SCRAPE_PAGE_TOO_LARGE' ? tooLarge() : error;
}

async function* counted(body: EgressResponse['body'], allowance: Allowance): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      allowance.spend(chunk.length);
      yield chunk;
    }
  } catch (error) {
    asMediaError(error);
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

async function peek(chunks: AsyncIterator<Uint8Array>): Promise<Pick<MediaDownload, 'head' | 'all'>> {
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
