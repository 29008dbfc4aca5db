// The wires of other programs over HTTP: who sends a request is found out here, what it means by its dialect, which is loaded
// with its first request.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import { DIALECTS, type DialectName, type DialectPlace } from '../../contracts/dialects/dialect-names.ts';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import { rateHeaders } from '../../contracts/rate-state.ts';
import type { DialectTable } from '../../dialects/dialect.ts';
import { LOAD_DIALECT } from '../../dialects/dialects.ts';
import { type FoundRoute, findRoute } from '../../dialects/find-route.ts';
import type { Keyless } from '../../operations/onboarding/keyless.ts';
import { createTurns } from '../../runtime/threads/turns.ts';
import { createJsonReader } from '../bodies/json-body.ts';
import { routeUnreadBodies } from '../bodies/upload-body.ts';
import type { Admission } from '../callers/admission.ts';
import { sendsNoKey } from '../callers/auth.ts';
import type { WatchedRoute } from '../watch/watchers.ts';
import type { AnswerRequestDeps, Arrival } from './answer-request.ts';
import type { DialectAddresses } from './dialect-address.ts';
import { findSentKey, keyInBody } from './sent-key.ts';

export interface DialectDeps extends Omit<AnswerRequestDeps, 'readJson'> {
  dialects: readonly DialectName[];
  addresses: Pick<DialectAddresses, 'keyOf'>;
  admission: Admission;
  calls: Calls;
  /** Absent if nothing is served without a key. */
  keyless?: Keyless;
  watched: WatchedRoute;
}

interface Loaded extends DialectTable {
  answerRequest: typeof import('./answer-request.ts').answerRequest;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function openDialects(app: FastifyInstance, deps: DialectDeps): void {
  const arrivals = new WeakMap<FastifyRequest, Arrival>();
  const readJson = createJsonReader(app);
  const takeTurn = createTurns();
  const bind = (name: DialectName): RouteOptions[] => {
    const { prefix, watched = {} }: DialectPlace = DIALECTS[name];
    const load = loaderOf(name);
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      await new Promise<void>(takeTurn);
      // A socket is admitted by what watches, see watch/watchers.ts.
      if (request.ws) return;
      const path = request.url.slice(prefix.length).split('?', 1)[0]!;
      const dialect = await load();
      const found = findRoute(dialect, request.method, path);
      const { 'content-type': type = '' } = request.headers;
      const key = findSentKey(request.headers, deps.addresses.keyOf(request.raw));
      const admitWith = (sent: string | undefined) => admit(request, reply, { ...found, key: sent }, deps);
      const isInBody = key === undefined && dialect.keyField !== undefined && !found.route.methods.includes('GET');
      const admitLate = (body: unknown) => admitWith(keyInBody(body, dialect.keyField!));
      arrivals.set(request, { ...found, name, type, ...(isInBody && { admitLate }) });
      if (!isInBody) await admitWith(key);
    };
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { answerRequest } = await load();
      return answerRequest({ ...deps, readJson }, arrivals.get(request)!, { request, reply });
    };
    const config = {
      measuredAs: name,
      writeFailure: async (failure: ServiceError) => (await load()).writeError(failure),
    };
    const route = (url: string, more?: Partial<RouteOptions>): RouteOptions => ({
      ...{ method: [...METHODS], url, config, onRequest, handler, ...more },
    });
    const watchable = Object.entries(watched).flatMap(([path, id]) => [
      route(`${prefix}${path}`, { method: 'GET', ...deps.watched(id) }),
      route(`${prefix}${path}`, { method: METHODS.filter((method) => method !== 'GET') }),
    ]);
    return [route(prefix), route(`${prefix}/*`), ...watchable];
  };
  routeUnreadBodies(app, deps.dialects.flatMap(bind));
}

function loaderOf(name: DialectName): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  const load = async () => {
    const [dialect, { answerRequest }] = await Promise.all([LOAD_DIALECT[name](), import('./answer-request.ts')]);
    return { ...dialect, answerRequest };
  };
  return () => {
    loading ??= load();
    return loading;
  };
}

/** Finds out who sends the request, wherever its program has put the key, and admits the call that it is mainly about. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { route: { call }, key }: FoundRoute & { key: string | undefined },
  { admission, calls, keyless }: DialectDeps,
): Promise<void> {
  if (call === undefined) return;
  const { headers } = request;
  // From here on, the key is in the header Authorization, as everywhere else.
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  const isStranger = keyless && calls.isKeyless(call) && sendsNoKey(headers.authorization);
  await (isStranger ? admission.admitKeyless(request, keyless.identify) : admission.admitKey(request));
  await calls.admit(call, admission.identityOf(request), (rate) => reply.headers(rateHeaders(rate)));
}
