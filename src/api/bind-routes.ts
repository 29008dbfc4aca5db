// The route table meets the operations: authenticate, validate, call, send. Nothing else happens here.
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';
import { type OperationId, PLANNED_ROUTES, ROUTES, type Route } from '../contracts/routes.ts';
import type { Caller } from '../operations/context.ts';
import type { Authenticate } from './auth.ts';
import { callerSignal } from './caller-signal.ts';
import { validate } from './validate.ts';

/** What an operation gets to see of a request. */
export interface Call {
  caller: Caller;
  body: unknown;
  params: Record<string, string>;
}

type OpenOperation = Extract<
  { [Id in OperationId]: (typeof ROUTES)[Id] extends { open: true } ? Id : never }[OperationId],
  string
>;
type KeyedOperation = Exclude<OperationId, OpenOperation>;

/** One function an operation; the ones without a key answer for themselves, with their own status. */
export type Operations = Record<KeyedOperation, (call: Call) => Promise<unknown>>;
export type OpenOperations = Record<OpenOperation, () => { status: number; body: unknown }>;

interface Deps {
  authenticate: Authenticate;
  operations: Operations;
  openOperations: OpenOperations;
  stopping: AbortSignal;
}

const ALL_METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function bindRoutes(app: FastifyInstance, { authenticate, operations, openOperations, stopping }: Deps): void {
  const taken = new Map<string, Set<string>>();
  const bind = (method: HTTPMethods, path: string, handler: (request: FastifyRequest) => unknown) => {
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
    app.route({ method, url: path, handler });
  };
  const withKey = (handle: (request: FastifyRequest, caller: Caller) => unknown) => async (request: FastifyRequest) =>
    handle(request, {
      team: await authenticate(request.headers.authorization),
      signal: callerSignal(request, stopping),
    });

  for (const id of Object.keys(operations) as KeyedOperation[]) {
    const { method, path, request: schema }: Route = ROUTES[id];
    bind(
      method,
      path,
      withKey((request, caller) =>
        operations[id]({
          caller,
          body: schema && validate(schema, request.body),
          params: request.params as Record<string, string>,
        }),
      ),
    );
  }
  for (const id of Object.keys(openOperations) as OpenOperation[]) {
    const { method, path } = ROUTES[id];
    taken.set(path, new Set([method]));
    app.route({
      method,
      url: path,
      handler: async (_request, reply) => {
        const { status, body } = openOperations[id]();
        return reply.code(status).type('application/json').send(body);
      },
    });
  }
  for (const planned of PLANNED_ROUTES) {
    const [method, path] = planned.split(' ') as [HTTPMethods, string];
    bind(
      method,
      path,
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
