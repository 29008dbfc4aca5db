// Makes the calls of the interface, typed by its route table. Every button of the console goes through here.
import routes from 'contracts:routes';
import type { ParamsOf, ResponseOf, SentBody } from '../../../src/contracts/route-types.ts';
import type { OperationId } from '../../../src/contracts/routes.ts';
import { ApiError } from './api-error.ts';
import { sessionHeaders, sessionLost } from './session-headers.ts';

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface ConsoleCall<Id extends OperationId> {
  params?: ParamsOf<Id>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: SentBody<Id>;
  /** Sent as a form, with the body beside it. */
  file?: File;
  signal?: AbortSignal;
}

export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
}

/** Throws ApiError. */
export async function call<Id extends OperationId>(id: Id, options: ConsoleCall<Id> = {}): Promise<ResponseOf<Id>> {
  return (await callWithHeaders(id, options)).data;
}

/** Throws ApiError. */
export async function callWithHeaders<Id extends OperationId>(
  id: Id,
  { params, query, body, file, signal }: ConsoleCall<Id> = {},
): Promise<Answer<ResponseOf<Id>>> {
  const response = await send(addressOf(id, params, query), {
    method: methodOf(id),
    headers: {
      ...sessionHeaders(),
      'x-origin': 'console',
      ...(body !== undefined && !file && { 'content-type': 'application/json' }),
    },
    ...(file ? { body: formOf(file, body) } : body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const data = await jsonOf(response);
  if (!response.ok) throw refusalOf(response, data);
  return { data: data as ResponseOf<Id>, status: response.status, headers: response.headers };
}

const methodOf = (id: OperationId): string => routes[id].split(' ')[0]!;

/** Path and query of a call: also what links to downloads point to. */
export function addressOf<Id extends OperationId>(
  id: Id,
  params?: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = routes[id]
    .split(' ')[1]!
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, credentials: 'same-origin', redirect: 'error' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('The service did not answer. Is it still running? Try again in a moment.', {
      code: 'UNREACHABLE',
      status: 0,
    });
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusalOf({ status }: Response, body: unknown): ApiError {
  const { error, code } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: unknown;
    code?: unknown;
  };
  if (status === 401 || code === 'CSRF_TOKEN_INVALID') sessionLost();
  return new ApiError(typeof error === 'string' ? error : `The service answered with the status ${status}.`, {
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    status,
    body,
  });
}

function formOf(file: File, options: unknown): FormData {
  const form = new FormData();
  form.set('file', file);
  form.set('options', JSON.stringify(options ?? {}));
  return form;
}
