// Request bodies that are files. They are streamed by the operation itself, after the request is authorised.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../contracts/errors.ts';
import { deadline, raceAbort } from '../../util/abort.ts';

/** Time limit of a whole upload. */
export const UPLOAD_MS = 15 * 60_000;
/** Time limit without any data. */
export const STALL_MS = 30_000;

export interface RawBody {
  content: AsyncIterable<Uint8Array>;
  /** The Content-Length, if sent. */
  length?: number;
}

/** Adds a route that accepts a body of any type and leaves it unread. */
export function routeRawBody(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({ ...route, config: { ...route.config, isRaw: true } });
  });
}

export function rawBodyOf(request: FastifyRequest, stallMs: number, signal: AbortSignal): RawBody {
  const length = announcedLength(request);
  return { content: readSteadily(request.raw, stallMs, signal), ...(length !== undefined && { length }) };
}

export const announcedLength = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

export const stalledUpload = (): ServiceError =>
  new ServiceError('BAD_REQUEST', { message: 'The upload stalled for too long and was aborted. Send the file again.' });

async function* readSteadily(raw: IncomingMessage, stallMs: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // Destroying the request would close the connection before the answer is sent.
  const chunks = raw.iterator({ destroyOnReturn: false });
  for (;;) {
    const patience = deadline(stallMs, stalledUpload, signal);
    const next = await raceAbort(chunks.next(), patience.signal)
      .catch((cause: unknown) => {
        throw cause instanceof ServiceError
          ? cause
          : new ServiceError('BAD_REQUEST', { message: 'The upload was interrupted. Send the file again.', cause });
      })
      .finally(patience.done);
    if (next.done) return;
    yield next.value as Uint8Array;
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is streamed as it arrives, whatever its type. */
    isRaw?: boolean;
  }
}
