// Answers every failure as JSON from the one error table, whatever was thrown.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asDiskError } from '../contracts/errors/disk-error.ts';
import {
  type AnyErrorStyle,
  type ErrorCode,
  errorBody,
  ServiceError,
  styledErrorBody,
} from '../contracts/errors/errors.ts';
import { RESOURCE_METADATA_PATH } from '../contracts/onboarding/onboarding.ts';
import { isRefusal, type ServiceMetrics } from '../contracts/operator/metrics.ts';
import type { Log } from '../runtime/log.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import type { BaseUrlOf } from './callers/base-url.ts';
import { isClientGone } from './client-gone.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As in the route table. */
    errorStyle?: AnyErrorStyle;
    /** The path of the resource that a key is for, if it has a document of its own (RFC 9728). */
    resource?: string;
    /** How the clients of another wire expect errors, see dialects. */
    writeFailure?(failure: ServiceError): Promise<{ status?: number; body: unknown }>;
  }
}

const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_REQUEST_INVALID_JSON',
};

export type ErrorReader = (error: unknown) => ServiceError;
export type FailureHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Maps whatever was thrown to the error table. Unexpected errors are logged, and the caller gets only the log ID. */
export function createErrorReader(log: Log, clock: Clock): ErrorReader {
  return (thrown) => {
    const error = asDiskError(thrown);
    if (error !== thrown) log.error({ err: thrown }, (error as ServiceError).message);
    if (error instanceof ServiceError && error.code !== 'UNKNOWN_ERROR') return error;
    const { code, statusCode, message } = error as Partial<FastifyError>;
    const known = code && FRAMEWORK_ERRORS[code];
    if (known) return new ServiceError(known, { cause: error });
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return new ServiceError('BAD_REQUEST', { message, cause: error });
    }
    const id = uuidv7(clock.now());
    log.error({ err: error, id }, 'unexpected error');
    return new ServiceError('UNKNOWN_ERROR', {
      message: `An unexpected error occurred. The server log has the cause under ID ${id}`,
      cause: error,
    });
  };
}

export function createFailureHandler(
  readError: ErrorReader,
  isAdmitted: (request: FastifyRequest) => boolean,
  baseUrlOf: BaseUrlOf,
  metrics: Pick<ServiceMetrics, 'count'>,
): FailureHandler {
  return (error, request, reply) => {
    const { routeOptions, raw } = request;
    // Nobody is left to be answered. Without an answer, the framework must be told not to wait for one.
    if (isClientGone(error)) return void reply.hijack();
    const failure = readError(error);
    if (!raw.socket.destroyed) countFailure(metrics, failure);
    // Some errors of the framework skip the hook that does this, see bodies/unread-body.ts.
    const isUnread = !raw.complete && !isAdmitted(request);
    if (isUnread || failure.code === 'UNAUTHORIZED' || failure.code === 'TOO_MANY_WRONG_KEYS') {
      reply.header('connection', 'close');
    }
    if (failure.headers) reply.headers(failure.headers);
    if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter);
    if (failure.status === 401)
      reply.header('www-authenticate', challengeOf(baseUrlOf(request), routeOptions.config?.resource));
    const asUsual = () => reply.code(failure.status).send(styledErrorBody(failure, routeOptions.config?.errorStyle));
    const written = routeOptions.config?.writeFailure?.(failure);
    if (!written) return void asUsual();
    written.then(({ status = failure.status, body }) => reply.code(status).send(body), asUsual);
  };
}

export function countFailure(metrics: Pick<ServiceMetrics, 'count'>, { code }: ServiceError): void {
  metrics.count('trawl_errors_total', { code });
  if (isRefusal(code)) metrics.count('trawl_refusals_total', { rule: code });
}

/** Tells agents where they find out how to get a key (RFC 9728). A base URL has no quotes, see callers/base-url.ts. */
const challengeOf = (baseUrl: string, resource = ''): string =>
  `Bearer resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}${resource}"`;

/** Answers requests that are not valid HTTP on the bare socket, still as JSON. */
export function answerBrokenHttp({ rawPacket }: Error & { rawPacket?: unknown }, socket: Socket): void {
  if (!socket.writable) return;
  const body = JSON.stringify(
    errorBody(new ServiceError('BAD_REQUEST', { message: 'This is not a valid HTTP request.' })),
  );
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  // An answer to HEAD has no body, also if the address of the request is too long to be read.
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, HEAD.length) === HEAD;
  socket.write(`HTTP/1.1 400 Bad Request\r\n${headers}\r\n\r\n${isHead ? '' : body}`);
  // Not only ended: the client could go on sending.
  socket.destroySoon();
}

const HEAD = 'HEAD ';

type Socket = FastifyRequest['socket'];
