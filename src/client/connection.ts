// Port: how a client's requests reach a service, over HTTP or within the process that runs it.
import type { Readable } from 'node:stream';
import type { Method } from '../contracts/routes.ts';

export interface ServiceRequest {
  method: Method;
  /** With the query string; begins with a slash. */
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | Readable;
  signal?: AbortSignal;
}

export interface ServiceAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Can be read once. */
  body: AsyncIterable<Uint8Array>;
}

/** Throws ApiError with the code UNREACHABLE if there is no answer, and the reason of the signal if it aborts. */
export type Connection = (request: ServiceRequest) => Promise<ServiceAnswer>;
