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
        return { status: statusCode, headers: oneValueEach(headers), body };
      } catch (error) {
        signal?.throwIfAborted();
        throw new ApiError(`${base} cannot be reached (${reasonOf(error)}). Is the service running there?`, {
          ...{ code: 'UNREACHABLE', status: 0, retryAfter: undefined, body: undefined },
        });
      }
    },
    close: () => dispatcher.close(),
  };
}

const oneValueEach = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));

function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
