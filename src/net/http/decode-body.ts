// Decompresses a body as a stream, with limits: a decompression bomb is stopped while it expands, not afterwards.
import { pipeline, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { counted } from '../../util/bytes/bounded-read.ts';

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

export interface BodyLimits {
  /** Limit for the bytes received and for the bytes they expand to. */
  maxBytes: number;
  /** Limit for expanded bytes per byte received. */
  maxRatio: number;
  /** The ratio is not checked below this size: small pages of blanks are harmless. */
  ratioFloorBytes: number;
}

type Bytes = AsyncIterable<Uint8Array>;

const MAX_CODINGS = 3;
const CHUNK = 64 * 1024;
// A truncated stream still yields what arrived, as in a browser.
const lenient = { chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH };
// The largest window that browsers accept (RFC 9659). A larger one would only make us reserve memory.
const ZSTD_WINDOW_LOG = 23;

const decoders: Readonly<Record<string, (head: Uint8Array) => Transform | undefined>> = {
  // Servers that announce gzip but send plain text are so common that browsers check first.
  gzip: (head) => (head[0] === 0x1f && head[1] === 0x8b ? createGunzip(lenient) : undefined),
  deflate: (head) => (isZlibHeader(head) ? createInflate(lenient) : createInflateRaw(lenient)),
  br: () => createBrotliDecompress({ chunkSize: CHUNK, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK,
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
};

/** The decompressed bytes. Throws ServiceError; errors of `source` pass through unchanged. */
export function decodeBody(source: Bytes, contentEncoding: string | undefined, limits: BodyLimits): Bytes {
  const codings = readCodings(contentEncoding);
  if (codings.length > MAX_CODINGS) {
    throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The site compressed the page too many times over.' });
  }
  const wire = { bytes: 0 };
  const received = counted(source, (bytes) => {
    wire.bytes = bytes;
    if (bytes > limits.maxBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  });
  return codings.reduceRight<Bytes>(
    // Every layer is checked: a bomb can hide between two of them.
    (stream, coding) => counted(decoded(stream, coding), (bytes) => checkExpansion(bytes, wire.bytes, limits)),
    received,
  );
}

/** Throws once a body has expanded to more than the limits allow. */
export function checkExpansion(bytes: number, wireBytes: number, limits: BodyLimits): void {
  if (bytes > limits.maxBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  if (bytes > limits.ratioFloorBytes && bytes > wireBytes * limits.maxRatio) {
    throw new ServiceError('SCRAPE_PAGE_TOO_LARGE', {
      message: 'The page decompresses to far more than was sent, as decompression bombs do.',
    });
  }
}

/** The codings to undo, in the order of their application: those after the last unknown one. */
function readCodings(contentEncoding = ''): string[] {
  const codings = contentEncoding
    .split(',')
    .map((coding) =>
      coding
        .trim()
        .toLowerCase()
        .replace(/^x-(?=gzip$)/, ''),
    )
    .filter((coding) => coding !== '' && coding !== 'identity');
  return codings.slice(codings.findLastIndex((coding) => !Object.hasOwn(decoders, coding)) + 1);
}

async function* decoded(source: Bytes, coding: string): Bytes {
  const { head, all } = await peek(source);
  const decoder = head.length === 0 ? undefined : decoders[coding]?.(head);
  if (!decoder) {
    yield* all;
    return;
  }
  let fault: unknown;
  try {
    yield* pipeline(
      remembering(all, (error) => (fault = error)),
      decoder,
      () => {},
    );
  } catch (cause) {
    if (fault !== undefined) throw fault;
    throw new ServiceError('SCRAPE_SITE_ERROR', {
      message: 'The compressed data that the site sent is damaged. Try again later.',
      cause,
    });
  }
}

/** Reports errors of the source, to tell them from the decoder's own. */
async function* remembering(source: Bytes, onFault: (error: unknown) => void): Bytes {
  try {
    yield* source;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

/** The first bytes, at least two unless the stream is shorter, and the whole stream including them. */
async function peek(source: Bytes): Promise<{ head: Uint8Array; all: Bytes }> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return { head, all: joined(head, { [Symbol.asyncIterator]: () => iterator }) };
}

async function* joined(head: Uint8Array, rest: Bytes): Bytes {
  if (head.length > 0) yield head;
  yield* rest;
}

const isZlibHeader = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
