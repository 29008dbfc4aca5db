// One sitemap file as a stream: fetched, unzipped, decoded and read piece by piece, within limits of size and time.
import { ServiceError } from '../../contracts/errors.ts';
import { decodeText } from '../../markup/charset.ts';
import { DEFAULT_LIMITS, type Egress, type EgressResponse } from '../../net/egress.ts';
import { decodeBody } from '../../net/http/decode-body.ts';
import { followRedirects } from '../../net/redirects.ts';
import { broken, type SitemapBatch, type SitemapReader } from './sitemap-reader.ts';
import { createTextReader } from './sitemap-text.ts';
import { createXmlReader } from './sitemap-xml.ts';

export interface SitemapFileDeps {
  egress: Egress;
  /** Who asks: the headers of the crawler. */
  headers: Record<string, string>;
}

export interface SitemapFileLimits {
  urlsPerFile: number;
  /** Unzipped. */
  fileBytes: number;
  /** Waiting for the site: at a stretch, and for one file in all. The time of those who read is their own. */
  idleMs: number;
  fileMs: number;
}

export interface SitemapFile {
  /** Where it was found in the end. */
  url: URL;
  batches: AsyncIterable<SitemapBatch>;
  /** Must be called unless `findings` were read. */
  close(): void;
}

// As far as declarations of the character set are looked for.
const HEAD_BYTES = 1024;

/** `admit` is asked for every address on the way. Throws ServiceError. */
export async function openSitemap(
  { egress, headers }: SitemapFileDeps,
  url: URL,
  mayFetch: (url: URL) => boolean,
  limits: SitemapFileLimits,
  signal: AbortSignal,
): Promise<SitemapFile> {
  const patience = createWaitBudget(limits, signal);
  const headersFor = (hop: URL) => {
    if (!mayFetch(hop)) throw new ServiceError('UNSUPPORTED_SITE', { message: 'Its address is not to be asked.' });
    return {};
  };
  patience.start();
  try {
    const request = { url, headers, route: 'basic', verifyTls: false } as const;
    const { response } = await followRedirects(egress, request, { headersFor }, patience.signal);
    if (response.status < 200 || response.status > 299) {
      response.body.destroy();
      throw broken(`The site answered with status ${response.status}.`);
    }
    return {
      url: response.url,
      batches: read(response, patience, limits),
      close: () => response.body.destroy(),
    };
  } finally {
    patience.stop();
  }
}

async function* read(
  { url, headers, body }: EgressResponse,
  patience: WaitBudget,
  limits: SitemapFileLimits,
): AsyncGenerator<SitemapBatch> {
  const { maxRatio, ratioFloorBytes } = DEFAULT_LIMITS;
  // Looks at the first bytes, so what is not zipped passes as it is.
  const bytes = decodeBody(timed(body, patience), 'gzip', { maxBytes: limits.fileBytes, maxRatio, ratioFloorBytes });
  let reader: SitemapReader | undefined;
  let fault: unknown;
  try {
    for await (const text of decoded(bytes, headers['content-type'] ?? '')) {
      reader ??= (/^\s*</.test(text) ? createXmlReader : createTextReader)(url, limits.urlsPerFile);
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

async function* timed(body: AsyncIterable<Uint8Array>, patience: WaitBudget): AsyncGenerator<Uint8Array> {
  patience.start();
  try {
    for await (const chunk of body) {
      patience.stop();
      yield chunk;
      patience.start();
    }
  } finally {
    patience.stop();
  }
}

/** The first piece is long enough to tell by it what kind of text this is. */
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

interface WaitBudget {
  /** Aborts when the site was waited for too long. */
  signal: AbortSignal;
  start(): void;
  stop(): void;
}

function createWaitBudget({ idleMs, fileMs }: SitemapFileLimits, outer: AbortSignal): WaitBudget {
  const over = new AbortController();
  let left = fileMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: AbortSignal.any([outer, over.signal]),
    start() {
      since = performance.now();
      const giveUp = () => over.abort(broken('The site did not send it in time.'));
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
