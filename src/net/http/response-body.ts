// The response body as callers read it: decompressed, limited in size and slowness, with failures as ServiceErrors.
import type { Dispatcher } from 'undici';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { type ReadStart, readStart } from '../../util/bytes/bounded-read.ts';
import type { Recording } from '../recorder.ts';
import { failureOf } from '../wire-failure.ts';
import { type BodyLimits, decodeBody } from './decode-body.ts';

export interface ResponseBody extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

export interface MinimumPace {
  /** After this long, a body that arrives slower than `minBytesPerSecond` is cut off. */
  slowMs: number;
  minBytesPerSecond: number;
}

// Up to this many unread bytes are drained to keep the connection: cheaper than opening a new one.
const DRAIN_BYTES = 64 * 1024;
/** The bodies of redirects, which an archive has, too. */
const UNREAD_BYTES = 1024 * 1024;

/** A body as a client of ours receives it. */
export interface RawBody {
  bytes: AsyncIterable<Uint8Array>;
  /** How the bytes are still compressed. */
  contentEncoding: string | undefined;
  /** Content-Length; NaN if it is unknown. */
  announcedBytes: number;
  /** Gives up the rest. */
  release(): void;
}

export function readBody(raw: RawBody, limits: BodyLimits & MinimumPace, signal: AbortSignal): ResponseBody {
  const stream = decodeBody(paced(raw.bytes, limits), raw.contentEncoding, limits);
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* withinAnnounced(stream, raw.announcedBytes, limits.maxBytes);
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
    destroy: raw.release,
  };
}

export function undiciBody(body: Dispatcher.ResponseData['body'], headers: Record<string, string>): RawBody {
  // An abort may come while nobody reads; without a listener it would crash the process.
  body.on('error', () => {});
  return {
    bytes: body,
    contentEncoding: headers['content-encoding'],
    announcedBytes: Number(headers['content-length']),
    release: () => void body.dump({ limit: DRAIN_BYTES }).catch(() => {}),
  };
}

/** The same body, of which all bytes are kept that were received. What nobody reads is received all the same, if it is short. */
export function recordedBody(raw: RawBody, recording: Recording): RawBody {
  let isRead = false;
  async function* bytes() {
    isRead = true;
    try {
      for await (const chunk of raw.bytes) {
        recording.add(chunk);
        yield chunk;
      }
      recording.end();
    } finally {
      recording.cut();
    }
  }
  const drain = async () => {
    let received = 0;
    for await (const chunk of bytes()) {
      received += chunk.byteLength;
      if (received > UNREAD_BYTES) break;
    }
  };
  return {
    ...raw,
    bytes: { [Symbol.asyncIterator]: bytes },
    release: () => (isRead ? raw.release() : void drain().catch(() => {})),
  };
}

/** Reads at most `maxBytes`, then releases the body. */
export async function readBodyStart(body: ResponseBody, maxBytes: number): Promise<ReadStart> {
  try {
    return await readStart(body, maxBytes);
  } finally {
    body.destroy();
  }
}

/** Refuses a body by its announced size, but after the first chunk: that one may be enough to detect the type. */
async function* withinAnnounced(stream: AsyncIterable<Uint8Array>, announcedBytes: number, maxBytes: number) {
  for await (const chunk of stream) {
    yield chunk;
    if (announcedBytes > maxBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  }
}

/** Cuts off a sender that drips just fast enough to evade the idle limit. Only time spent waiting for it counts. */
async function* paced(source: AsyncIterable<Uint8Array>, { slowMs, minBytesPerSecond }: MinimumPace) {
  let bytes = 0;
  let waited = 0;
  let since = performance.now();
  for await (const chunk of source) {
    bytes += chunk.length;
    waited += performance.now() - since;
    if (waited > slowMs && bytes * 1000 < minBytesPerSecond * waited) {
      throw new ServiceError('SCRAPE_SITE_ERROR', {
        message: 'The site sends its answer too slowly. Try again later.',
      });
    }
    yield chunk;
    since = performance.now();
  }
}
