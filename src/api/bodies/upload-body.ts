// Request bodies that are files. They are streamed by the operation itself, after the request is authorised.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { UploadBody } from '../../operations/parse/uploads.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import { inviteBody } from './invite-body.ts';

/** Time limit of a whole upload. */
export const UPLOAD_MS = 15 * 60_000;
/** Time limit without any data. */
export const STALL_MS = 30_000;

/** Adds routes that accept a body of any type and leave it unread: it is a file, or it has no meaning. */
export function routeUnreadBodies(app: FastifyInstance, routes: readonly RouteOptions[]): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // The framework would refuse a malformed type.
    scope.addHook('preParsing', async ({ headers }) => {
      delete headers['content-type'];
    });
    for (const route of routes) scope.route({ ...route, config: { ...route.config, isRaw: true } });
  });
}

interface Reading {
  reply: FastifyReply;
  stallMs: number;
  /** The link has been verified. */
  onAccept(): void;
  signal: AbortSignal;
}

export function rawBodyOf(request: FastifyRequest, { reply, stallMs, onAccept, signal }: Reading): UploadBody {
  const length = announcedLength(request);
  const accept = () => {
    onAccept();
    return readSteadily(request.raw, stallMs, signal, () => inviteBody(request.raw, reply.raw));
  };
  return { accept, ...(length !== undefined && { length }) };
}

export const announcedLength = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

export const stalledUpload = (): ServiceError =>
  new ServiceError('BAD_REQUEST', { message: 'The upload stalled for too long and was aborted. Send the file again.' });

async function* readSteadily(
  raw: IncomingMessage,
  stallMs: number,
  signal: AbortSignal,
  onStart: () => void,
): AsyncGenerator<Uint8Array> {
  onStart();
  // Destroying the request would close the connection before the answer is sent.
  const chunks = raw.iterator({ destroyOnReturn: false });
  for (;;) {
    const patience = startDeadline(stallMs, stalledUpload, signal);
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
    /** The framework leaves the body unread, whatever its type. */
    isRaw?: boolean;
  }
}
