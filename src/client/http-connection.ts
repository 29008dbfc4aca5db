// Requests to a service over HTTP, wherever it runs.
import type { Duplex } from 'node:stream';
import { Agent, type buildConnector, request as send } from 'undici';
import { ApiError } from './api-error.ts';
import type { Connection } from './connection.ts';

const CONNECT_MS = 10_000;

export interface HttpConnection {
  send: Connection;
  close(): Promise<void>;
}

/** `baseUrl` may have a path; a slash at its end does not matter. `openStream` replaces connections of the network. */
export function connectOverHttp(baseUrl: string, openStream?: () => Duplex): HttpConnection {
  const base = baseUrl.replace(/\/+$/, '');
  // Without limits of its own: the service ends what takes too long, and says so.
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    // A stream costs little, so each is used for one request, and nothing is left to close.
    ...(openStream ? { connect: connectorOf(openStream), pipelining: 0 } : { connect: { timeout: CONNECT_MS } }),
  });
  return {
    async send({ path, signal, ...rest }) {
      try {
        const { statusCode, headers, body } = await send(`${base}${path}`, { ...rest, signal, dispatcher });
        return { status: statusCode, headers: oneValueEach(headers), body: wholeBody(body, base, signal) };
      } catch (error) {
        signal?.throwIfAborted();
        throw unreachable(`${base} cannot be reached (${reasonOf(error)}). Is the service running there?`);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** If the service stops in the middle of an answer, that counts as no answer. */
async function* wholeBody(body: AsyncIterable<Uint8Array>, base: string, signal: AbortSignal | undefined) {
  try {
    yield* body;
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(`${base} broke off its answer (${reasonOf(error)}).`);
  }
}

const unreachable = (message: string): ApiError =>
  new ApiError(message, { code: 'UNREACHABLE', status: 0, retryAfter: undefined, body: undefined });

/** The types of the library say socket, but it uses what any stream has. */
const connectorOf =
  (openStream: () => Duplex): buildConnector.connector =>
  (_options, callback) =>
    queueMicrotask(() => callback(null, openStream() as never));

const oneValueEach = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
