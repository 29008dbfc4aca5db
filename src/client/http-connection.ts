// Requests to a service over HTTP, wherever it runs.
import { Agent, request as send } from 'undici';
import { ApiError } from './api-error.ts';
import type { Connection } from './connection.ts';

const CONNECT_MS = 10_000;

export interface HttpConnection {
  send: Connection;
  close(): Promise<void>;
}

/** `baseUrl` may have a path; a slash at its end does not matter. */
export function connectOverHttp(baseUrl: string): HttpConnection {
  const base = baseUrl.replace(/\/+$/, '');
  // Without limits of its own: the service ends what takes too long, and says so.
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: 0, bodyTimeout: 0 });
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

/** An answer that breaks off, because the service was stopped, is no answer. */
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

const oneValueEach = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
