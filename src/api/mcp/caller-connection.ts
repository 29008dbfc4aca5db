// Calls that a tool makes for a caller of `/mcp`. They enter the HTTP server by a stream within the process, as requests of
// that caller: keys, limits, budgets, audit, time limits and aborts are those of any request, without a second way in.
import { duplexPair } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiClient, createApiClient } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Connection, ServiceAnswer } from '../../client/connection.ts';
import { connectOverHttp } from '../../client/http-connection.ts';

/** What tells the service who calls, and at which address. */
const PASSED_ON = [
  'authorization',
  'forwarded',
  'host',
  'user-agent',
  'x-firecrawl-keyless-ip',
  'x-firecrawl-keyless-secret',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
];
/** Makes it a request that was passed on: it never counts as one of a program on this machine (callers/this-machine.ts). */
const VIA = { via: '1.1 trawl-mcp' };
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export const callAsCaller = (app: FastifyInstance, request: FastifyRequest): ApiClient =>
  createApiClient({ send: connectAsCaller(app, request), origin: 'mcp' });

/** Works also after the caller is gone: a tool then cancels the job that it has started. */
export function connectAsCaller({ server }: FastifyInstance, { headers, raw }: FastifyRequest): Connection {
  const { remoteAddress } = raw.socket;
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name].toString()]])),
  );
  const openStream = () => {
    const [near, far] = duplexPair();
    // What the service reads of a socket besides the stream.
    Object.assign(far, { remoteAddress, destroySoon: () => far.end() });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    server.emit('connection', far);
    return near;
  };
  const { send } = connectOverHttp('http://trawl', openStream);
  return async (request) => {
    const answer = await send({ ...request, headers: { ...request.headers, ...passedOn, ...VIA } });
    return { ...answer, body: bounded(answer.body) };
  };
}

async function* bounded(body: ServiceAnswer['body']): ServiceAnswer['body'] {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      throw new ApiError('The answer is too large for a tool. Ask for less, or use the HTTP interface.', {
        ...{ code: 'ANSWER_TOO_LARGE', status: 0, retryAfter: undefined, body: undefined },
      });
    }
    yield chunk;
  }
}
