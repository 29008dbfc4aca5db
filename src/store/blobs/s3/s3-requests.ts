// Signed requests to a bucket. What fails for a moment is repeated with growing pauses, and every attempt ends.
import { AwsV4Signer } from 'aws4fetch';
import { createEngineClient, type EngineAnswer, type EngineRequest } from '../../../net/engine-client.ts';
import { readStart } from '../../../util/bytes/bounded-read.ts';
import { systemClock } from '../../../util/clock.ts';
import { isTransient, readFault, S3Fault } from './s3-fault.ts';
import type { S3Settings } from './s3-settings.ts';

export interface S3Request {
  method: EngineRequest['method'];
  /** Absent: the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** For one attempt, until its answer is read. Infinity for a stream, which only must not be silent for long. */
  limitMs?: number;
  attempts?: number;
}

export interface S3Requests {
  /** Rejects with S3Fault unless the status is one of success. `read` is part of the attempt, which is repeated as a whole. */
  send<T>(request: S3Request, read: (answer: EngineAnswer) => Promise<T>): Promise<T>;
  /** A link to an object for GET, which needs no key. */
  presign(key: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

export interface Patience {
  /** Before the second attempt; twice as long before each further one. */
  pauseMs: number;
  /** Until the answer begins, and between any two pieces of it. */
  silenceMs: number;
}

const ATTEMPTS = 4;
const PATIENCE: Patience = { pauseMs: 200, silenceMs: 20_000 };
/** No attempt begins later than this after the first. */
const LAST_ATTEMPT_MS = 60_000;
const LIMIT_MS = 60_000;
const MAX_ERROR_BYTES = 64 * 1024;

export function createS3Requests(settings: S3Settings, { pauseMs, silenceMs } = PATIENCE): S3Requests {
  const { origin, root, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const client = createEngineClient(origin);
  const closing = new AbortController();
  const identity = { accessKeyId, secretAccessKey, sessionToken, region, service: 's3', cache: new Map() };

  const addressOf = (key: string | undefined, query: Readonly<Record<string, string>> = {}): string => {
    const path = key === undefined ? root || '/' : `${root}/${key.split('/').map(encodeURIComponent).join('/')}`;
    const search = new URLSearchParams(query).toString();
    return `${origin}${path}${search && `?${search}`}`;
  };

  const attempt = async <T>(request: S3Request, read: (answer: EngineAnswer) => Promise<T>): Promise<T> => {
    const { method, body, limitMs = LIMIT_MS } = request;
    // The hash is signed, so that neither a broken nor a hostile connection can change what is stored.
    const headers = { ...request.headers, 'x-amz-content-sha256': await sha256(body) };
    const signed = await new AwsV4Signer({
      ...{ method, headers, ...identity },
      url: addressOf(request.key, request.query),
    }).sign();
    const signals = limitMs === Infinity ? [closing.signal] : [closing.signal, AbortSignal.timeout(limitMs)];
    const answer = await client.request({
      method,
      path: signed.url.pathname + signed.url.search,
      headers: Object.fromEntries(signed.headers),
      body,
      timeoutMs: silenceMs,
      signal: AbortSignal.any(signals),
    });
    if (answer.status >= 200 && answer.status < 300) return read(answer);
    throw readFault(answer.status, await errorText(answer), answer.headers);
  };

  return {
    async send(request, read) {
      const began = performance.now();
      for (let number = 1; ; number++) {
        try {
          return await attempt(request, read);
        } catch (cause) {
          const fault = cause instanceof S3Fault ? cause : new S3Fault((cause as Error).message, { cause });
          const isLast = number >= (request.attempts ?? ATTEMPTS) || performance.now() - began > LAST_ATTEMPT_MS;
          if (closing.signal.aborted || isLast || !isTransient(fault)) throw fault;
        }
        await systemClock.sleep(pauseMs * 2 ** (number - 1) * (0.5 + Math.random()), closing.signal);
      }
    },
    async presign(key, seconds, query) {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(seconds) });
      const { url: signed } = await new AwsV4Signer({ method: 'GET', url, signQuery: true, ...identity }).sign();
      // A plus sign means a space only in forms; object stores disagree about it.
      return signed.href.replaceAll('+', '%20');
    },
    async close() {
      closing.abort(new S3Fault('The service is shutting down.'));
      await client.close();
    },
  };
}

async function sha256(bytes: Uint8Array = new Uint8Array()): Promise<string> {
  // Not on this thread: a part has megabytes.
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

async function errorText({ body }: EngineAnswer): Promise<string> {
  try {
    return Buffer.from((await readStart(body, MAX_ERROR_BYTES)).bytes).toString();
  } catch {
    return '';
  }
}
