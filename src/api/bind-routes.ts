// The route table meets the operations: authenticate, validate, call, send. Nothing else happens here.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';
import { type Method, type OperationId, PLANNED_ROUTES, ROUTES, type Route } from '../contracts/routes.ts';
import type { Caller } from '../operations/caller.ts';
import type { UploadedFile } from '../operations/parse/uploads.ts';
import type { UploadStore } from '../store/uploads.ts';
import { JsonText } from '../util/json-text.ts';
import type { Authenticate } from './auth.ts';
import { baseUrlOf } from './base-url.ts';
import { callerSignal } from './caller-signal.ts';
import { type FormLimits, readForm, routeForm } from './multipart.ts';
import { type RawBody, rawBodyOf, routeRawBody } from './upload-body.ts';
import { validate } from './validate.ts';
import type { WatchedRoute } from './watchers.ts';

/** What an operation gets to see of a request. */
export interface Call {
  caller: Caller;
  body: unknown;
  params: Record<string, string>;
  /** As it was written; of a repeated parameter, the last one. */
  query: Record<string, string>;
  idempotencyKey?: string;
  /** What was uploaded in a form; it is gone when the operation has ended. */
  file?: UploadedFile;
  /** What links in the answer begin with; no slash at its end. */
  baseUrl: string;
}

type OpenOperation = Extract<
  { [Id in OperationId]: (typeof ROUTES)[Id] extends { open: true } ? Id : never }[OperationId],
  string
>;
type KeyedOperation = Exclude<OperationId, OpenOperation>;

/** One function an operation; the ones without a key answer for themselves, with their own status. */
export type Operations = Record<KeyedOperation, (call: Call) => Promise<unknown>>;
export type OpenOperations = Record<OpenOperation, (call: OpenCall) => OpenAnswer | Promise<OpenAnswer>>;

export interface OpenCall extends Pick<Call, 'params' | 'query'> {
  /** Only the headers of the answer are wanted. */
  isHead: boolean;
  /** The header Range, where it stands without conditions. */
  range?: string;
  /** Of a route that takes a file as its body. */
  body?: RawBody;
}

export interface OpenAnswer {
  status: number;
  /** A content type among them goes before that of the route. */
  headers?: Record<string, string>;
  body: unknown;
}

interface Deps {
  authenticate: Authenticate;
  operations: Operations;
  openOperations: OpenOperations;
  watched: WatchedRoute;
  publicUrl?: string;
  stopping: AbortSignal;
  hold: UploadStore['hold'];
  forms: FormLimits;
}

type Bound = Pick<Route, 'method' | 'path' | 'upload'>;
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

// As the server labels every other answer.
const JSON_TYPE = 'application/json; charset=utf-8';
const MAX_IDEMPOTENCY_KEY = 256;
const ALL_METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function bindRoutes(app: FastifyInstance, deps: Deps): void {
  const { authenticate, operations, openOperations, watched, publicUrl, stopping, hold, forms } = deps;
  const taken = new Map<string, Set<string>>();
  const bind = ({ method, path, upload }: Bound, handler: Handler, more?: ReturnType<WatchedRoute>) => {
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
    const route = { method, url: path, handler, ...more };
    if (upload === 'form') routeForm(app, route);
    else if (upload === 'raw') routeRawBody(app, route);
    else app.route(route);
  };
  const withKey =
    (handle: (request: FastifyRequest, caller: Caller) => unknown): Handler =>
    async (request, reply) => {
      const team = await authenticate(request.headers.authorization);
      const answer = await handle(request, { team, signal: callerSignal(request, reply, stopping) });
      return answer instanceof JsonText ? reply.type(JSON_TYPE).send(answer.bytes) : answer;
    };

  for (const id of Object.keys(operations) as KeyedOperation[]) {
    const { request: schema, watch, idempotent, upload, ...route }: Route = ROUTES[id];
    const handler = withKey(async (request, caller) => {
      const form = upload === 'form' ? await readForm(request, hold, forms, caller.signal) : undefined;
      try {
        return await operations[id]({
          caller,
          body: schema && validate(schema, form ? form.options : request.body),
          ...addressed(request),
          ...(idempotent && { idempotencyKey: idempotencyKeyOf(request) }),
          ...(form && { file: form.file }),
          baseUrl: baseUrlOf(request, publicUrl),
        });
      } finally {
        await form?.file.release();
      }
    });
    bind({ ...route, upload }, handler, watch && watched(route.path));
  }
  for (const id of Object.keys(openOperations) as OpenOperation[]) {
    const { contentType = 'application/json', ...route }: Route = ROUTES[id];
    bind(route, async (request, reply) => {
      const body = route.upload && rawBodyOf(request, forms.stallMs, callerSignal(request, reply, stopping));
      const answer = await openOperations[id]({ ...openCall(request), ...(body && { body }) });
      const { status, headers = {} } = answer;
      return reply.code(status).type(contentType).headers(headers).send(answer.body);
    });
  }
  for (const planned of PLANNED_ROUTES) {
    const [method, path] = planned.split(' ') as [Method, string];
    bind(
      { method, path },
      withKey(() => {
        throw new ServiceError('NOT_IMPLEMENTED');
      }),
    );
  }
  refuseOtherMethods(app, taken);
}

function refuseOtherMethods(app: FastifyInstance, taken: Map<string, Set<string>>): void {
  for (const [url, methods] of taken) {
    const others = ALL_METHODS.filter((method) => !methods.has(method));
    const allow = [...methods].join(', ');
    app.route({
      method: others,
      url,
      // The body does not matter here, so it is not read and cannot be wrong.
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        throw new ServiceError('METHOD_NOT_ALLOWED', { message: `This path takes ${allow}.` });
      },
      handler: () => {},
    });
  }
}

/** What the address of a request says. */
const addressed = ({ params, query }: FastifyRequest): Pick<Call, 'params' | 'query'> => ({
  params: params as Record<string, string>,
  query: lastOfEach(query as Record<string, string | string[]>),
});

function openCall(request: FastifyRequest): OpenCall {
  const { range, 'if-range': condition } = request.headers;
  // Files have no validators that a condition could be about.
  return { ...addressed(request), isHead: request.method === 'HEAD', ...(condition === undefined && { range }) };
}

const lastOfEach = (query: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().at(-1)!]));

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['x-idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header).trim();
  if (key !== '' && key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw new ServiceError('BAD_REQUEST', {
    message: `The header x-idempotency-key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters.`,
  });
}
