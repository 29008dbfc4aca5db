// Streams one sitemap file: fetches, unzips, decodes and parses it piece by piece, within limits of size and time.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { decodeText } from '../../markup/charset.ts';
import { DEFAULT_LIMITS, type Egress, type EgressResponse } from '../../net/egress.ts';
import type { CallerHeaders } from '../../net/http/caller-headers.ts';
import { decodeBody } from '../../net/http/decode-body.ts';
import { followRedirects } from '../../net/redirects.ts';
import { broken, type SitemapBatch, type SitemapReader } from './sitemap-reader.ts';
import { createLlmsReader, createTextReader } from './sitemap-text.ts';
import { createXmlReader } from './sitemap-xml.ts';

export interface SitemapFileDeps {
  egress: Egress;
  /** Identify the crawler. */
  headers: Record<string, string>;
  callerHeaders?: CallerHeaders;
  /** Whether files from a site with an invalid certificate are refused. */
  verifyTls: boolean;
}

export interface SitemapFileLimits {
  urlsPerFile: number;
  /** Unzipped. */
  fileBytes: number;
  /** Time spent waiting for the site: at a stretch, and for the whole file. The consumer's own time does not count. */
  idleMs: number;
  fileMs: number;
}

export interface SitemapFile {
  /** After redirects. */
  url: URL;
  batches: AsyncIterable<SitemapBatch>;
  /** Must be called unless `batches` is consumed. */
  close(): void;
}

// How far to look for a declaration of the character set.
const HEAD_BYTES = 1024;

/** `mayFetch` is checked for every redirect too. Throws ServiceError. */
export async function openSitemap(
  { egress, headers, callerHeaders, verifyTls }: SitemapFileDeps,
  url: URL,
  mayFetch: (url: URL) => boolean,
  limits: SitemapFileLimits,
  signal: AbortSignal,
): Promise<SitemapFile> {
  const waitLimit = createWaitLimit(limits, signal);
  const headersFor = (hop: URL) => {
    if (!mayFetch(hop))
      throw new ServiceError('UNSUPPORTED_SITE', { message: 'Requests to this address are not allowed.' });
    return {};
  };
  waitLimit.start();
  try {
    const request = { url, headers, callerHeaders, route: 'basic', verifyTls } as const;
    const { response } = await followRedirects(egress, request, { headersFor }, waitLimit.signal);
    if (response.status < 200 || response.status > 299) {
      response.body.destroy();
      throw broken(`The site answered with status ${response.status}.`);
    }
    return {
      url: response.url,
      batches: read(response, url.pathname.endsWith('/llms.txt'), waitLimit, limits),
      close: () => response.body.destroy(),
    };
  } finally {
    waitLimit.stop();
  }
}

async function* read(
  { url, headers, body }: EgressResponse,
  isLlms: boolean,
  waitLimit: WaitLimit,
  limits: SitemapFileLimits,
): AsyncGenerator<SitemapBatch> {
  const { maxRatio, ratioFloorBytes } = DEFAULT_LIMITS;
  // Detects gzip by the first bytes, so plain files pass unchanged.
  const bytes = decodeBody(timed(body, waitLimit), 'gzip', { maxBytes: limits.fileBytes, maxRatio, ratioFloorBytes });
  let reader: SitemapReader | undefined;
  let fault: unknown;
  try {
    for await (const text of decoded(bytes, headers['content-type'] ?? '')) {
      reader ??= readerOf(text, isLlms)(url, limits.urlsPerFile);
      reader.write(text);
      yield reader.take();
    }
    reader?.end();
  } catch (error) {
    fault = error;
  } finally {
    body.destroy();
  }
  if (reader) yield reader.take();
  if (fault !== undefined) throw fault;
}

function readerOf(text: string, isLlms: boolean) {
  if (isLlms) return createLlmsReader;
  return /^\s*</.test(text) ? createXmlReader : createTextReader;
}

async function* timed(body: AsyncIterable<Uint8Array>, waitLimit: WaitLimit): AsyncGenerator<Uint8Array> {
  waitLimit.start();
  try {
    for await (const chunk of body) {
      waitLimit.stop();
      yield chunk;
      waitLimit.start();
    }
  } finally {
    waitLimit.stop();
  }
}

/** The first piece is long enough to detect the format. */
async function* decoded(source: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array();
  const begin = () => new TextDecoder(decodeText(head, contentType, { html: false }).encoding);
  let decoder: ReturnType<typeof begin> | undefined;
  for await (const chunk of source) {
    if (decoder) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    decoder = begin();
    yield decoder.decode(head, { stream: true });
  }
  if (decoder) yield decoder.decode();
  else yield begin().decode(head);
}

interface WaitLimit {
  /** Aborts when the site took too long. */
  signal: AbortSignal;
  start(): void;
  stop(): void;
}

function createWaitLimit({ idleMs, fileMs }: SitemapFileLimits, outer: AbortSignal): WaitLimit {
  const over = new AbortController();
  let left = fileMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: AbortSignal.any([outer, over.signal]),
    start() {
      since = performance.now();
      const giveUp = () => over.abort(broken('The site did not send the file in time.'));
      timer = setTimeout(giveUp, Math.max(0, Math.min(idleMs, left)));
      timer.unref();
    },
    stop() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      left -= performance.now() - since;
    },
  };
}
