// A client of the HTTP interface, typed by the route table. The command line and the MCP server are made with it.
import { Readable } from 'node:stream';
import type { KeyedOperation, ParamsOf, ResponseOf, SentBody } from '../contracts/route-types.ts';
import { type OperationId, ROUTES, type Route } from '../contracts/routes.ts';
import { ApiError } from './api-error.ts';
import type { Connection, ServiceAnswer } from './connection.ts';

type QueryValue = string | number | boolean | readonly string[] | undefined;
type Query = Readonly<Record<string, QueryValue>>;

export interface ClientCall<Id extends OperationId> {
  params?: ParamsOf<Id>;
  query?: Query;
  /** Undefined fields are left out. */
  body?: SentBody<Id>;
  /** A file, sent as a form with the body beside it. */
  file?: { name: string; content: Blob };
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface ApiClient {
  /** Throws ApiError. */
  call<Id extends KeyedOperation>(id: Id, call?: ClientCall<Id>): Promise<ResponseOf<Id>>;
  /** An answer that is not JSON, or that should not be held in memory. Throws ApiError. */
  download<Id extends OperationId>(id: Id, call?: ClientCall<Id>): Promise<ServiceAnswer>;
}

interface ClientOptions {
  send: Connection;
  /** Absent: the service needs none. */
  key?: string;
  /** Named in the service's list of requests, such as `cli` or `mcp`. */
  origin: string;
}

export function createApiClient({ send, key, origin }: ClientOptions): ApiClient {
  const request = async <Id extends OperationId>(id: Id, call: ClientCall<Id>): Promise<ServiceAnswer> => {
    const { method, path }: Route = ROUTES[id];
    const { params, query, body, file, idempotencyKey, signal } = call;
    const content = file ? formOf(file, body) : jsonOf(body);
    const answer = await send({
      method,
      path: `${fillPath(path, params ?? {})}${queryText(query ?? {})}`,
      headers: {
        'x-origin': origin,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(content && { 'content-type': content.type }),
        ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
      },
      ...(content && { body: content.body }),
      ...(signal && { signal }),
    });
    // A redirect is not followed: the key is for this address only.
    if (answer.status >= 300) throw await refusal(answer);
    return answer;
  };
  return {
    call: async (id, call = {}) => jsonOfAnswer(await request(id, call)) as never,
    download: (id, call = {}) => request(id, call),
  };
}

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => segmentOf(params[name] ?? ''));

/** In a path, `.` and `..` have a meaning of their own, even if they are encoded: another call would be made. */
function segmentOf(value: string): string {
  if (value !== '.' && value !== '..') return encodeURIComponent(value);
  const message = `\`${value}\` cannot be an ID or a name. Use one that the service has given.`;
  throw new ApiError(message, { code: 'BAD_REQUEST', status: 400, retryAfter: undefined, body: undefined });
}

function queryText(query: Query): string {
  const pairs = Object.entries(sentQuery(query)).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The values of each parameter, as text. */
export const sentQuery = (query: Query): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const values = [value ?? []].flat().map(String);
      return values.length === 0 ? [] : [[name, values]];
    }),
  );

const jsonOf = (body: unknown) =>
  body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };

function formOf({ name, content }: { name: string; content: Blob }, options: unknown) {
  const form = new FormData();
  form.set('file', content, name);
  form.set('options', JSON.stringify(options ?? {}));
  const encoded = new Response(form);
  // The types of the platform and of Node describe the same stream in two ways.
  return { type: encoded.headers.get('content-type')!, body: Readable.fromWeb(encoded.body as never) };
}

export async function textOf({ body }: Pick<ServiceAnswer, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A web server that is not this service answers with a page. */
async function jsonOfAnswer(answer: ServiceAnswer): Promise<unknown> {
  const value = parse(await textOf(answer));
  if (value !== undefined) return value;
  throw new ApiError('The answer is not JSON. Is this the address of a Trawl service?', {
    ...{ code: 'UNREACHABLE', status: answer.status, retryAfter: undefined, body: undefined },
  });
}

async function refusal(answer: ServiceAnswer): Promise<ApiError> {
  const { status, headers } = answer;
  const body = parse(await textOf(answer));
  const retryAfter = Number(headers['retry-after']);
  const isKnown = Number.isFinite(retryAfter) && headers['retry-after'] !== undefined;
  return apiErrorOf({ status, message: statusText(answer), retryAfter: isKnown ? retryAfter : undefined }, body);
}

/** The message is for an answer that has none in its body. */
export function apiErrorOf(
  { status, message, retryAfter }: Pick<ApiError, 'status' | 'message' | 'retryAfter'>,
  body: unknown,
): ApiError {
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown };
  return new ApiError(typeof error === 'string' ? error : message, {
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    ...{ status, retryAfter, body },
  });
}

const statusText = ({ status, headers: { location } }: ServiceAnswer): string =>
  status < 400 && location !== undefined
    ? `The service answered with a redirect to ${location}. If that is its address, use it.`
    : `The service answered with the status ${status}.`;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
