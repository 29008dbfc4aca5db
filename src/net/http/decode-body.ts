// Content-Encoding undone as a stream, within caps: a bomb is stopped while it unfolds, not after.
import { pipeline, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ServiceError } from '../../contracts/errors.ts';
import { counted } from '../../util/bounded-read.ts';

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

export interface BodyLimits {
  /** The most bytes that are read off the wire, and the most that they may unfold to. */
  maxBytes: number;
  /** Unfolded bytes for each byte received... */
  maxRatio: number;
  /** ...once there are this many: small pages of blanks are harmless. */
  ratioFloorBytes: number;
}

type Bytes = AsyncIterable<Uint8Array>;

const MAX_CODINGS = 3;
const CHUNK = 64 * 1024;
// What is cut short still gives what arrived, as in a browser.
const lenient = { chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH };
// A larger window than browsers accept (RFC 9659) is only good for making us reserve memory.
const ZSTD_WINDOW_LOG = 23;

const decoders: Readonly<Record<string, (head: Uint8Array) => Transform | undefined>> = {
  // Servers that announce gzip and send plain text are common enough that browsers look first.
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

/** The bytes of the page. Throws ServiceError; what `source` throws comes through as it is. */
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
    // Every layer is watched by itself: a bomb can hide between two of them.
    (stream, coding) => counted(decoded(stream, coding), (bytes) => checkUnfolded(bytes, wire.bytes, limits)),
    received,
  );
}

function checkUnfolded(bytes: number, wireBytes: number, limits: BodyLimits): void {
  if (bytes > limits.maxBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  if (bytes > limits.ratioFloorBytes && bytes > wireBytes * limits.maxRatio) {
    throw new ServiceError('SCRAPE_PAGE_TOO_LARGE', {
      message: 'The page unfolds to far more than was sent, as decompression bombs do.',
    });
  }
}

/** The codings to undo, in the order they were applied, as far from the end as all of them are known. */
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
      message: 'The site sent a page whose compression is damaged.',
      cause,
    });
  }
}

/** Tells the decoder's own complaints from those of what feeds it. */
async function* remembering(source: Bytes, onFault: (error: unknown) => void): Bytes {
  try {
    yield* source;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

/** At least two bytes from the start (fewer if there are no more), and the whole stream with them still in it. */
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
