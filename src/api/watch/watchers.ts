// WebSockets that follow a job: authentication (browsers cannot set headers, so a key may be sent as a subprotocol), and
// closing them with the server.
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Calls } from '../../calls/calls.ts';
import { DIALECTS, type DialectPlace } from '../../contracts/dialects/dialect-names.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyedOperation } from '../../contracts/route-types.ts';
import { ROUTES, type Route } from '../../contracts/routes.ts';
import type { Authenticate, Identity } from '../../operations/caller.ts';
import type { WatchCall } from '../../operations/job/watch-job.ts';
import type { KeyWatch } from '../../operations/team/key-watch.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { Admission as CallerAdmission } from '../callers/admission.ts';
import type { BaseUrlOf } from '../callers/base-url.ts';
import type { ReadForwarded } from '../callers/forwarded.ts';
import type { ErrorReader } from '../errors.ts';
import { refuseSocket } from '../refuse-socket.ts';
import { closeCode, cutReason, streamJob } from './job-stream.ts';

/** Each item is one message. Throws ServiceError before the first one if there is no such job. Ends with the caller's signal. */
export type Watch = (call: WatchCall) => AsyncIterable<JsonText>;

interface Deps {
  authenticate: Authenticate;
  identify: CallerAdmission['identify'];
  calls: Pick<Calls, 'admit'>;
  readForwarded: ReadForwarded;
  watch: Watch;
  baseUrlOf: BaseUrlOf;
  stopping: AbortSignal;
  clock: Clock;
  readError: ErrorReader;
  keyWatch: Pick<KeyWatch, 'follow'>;
  sessionWatch: Pick<KeyWatch, 'follow'>;
}

/** What makes a route watchable, in addition to its handler for plain requests. */
export type WatchedRoute = (id: KeyedOperation) => Pick<RouteOptions, 'preHandler' | 'wsHandler'>;

interface Admission {
  /** The offered subprotocol to echo: without one a browser would not open the socket. */
  protocol: string | undefined;
  /** Who it is, or why the socket is refused. */
  identity: Identity | ServiceError;
}

const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;
const MAX_OFFERED = 8;
const CLOSE_GRACE_MS = 1_000;

const WATCHED_PATHS = [
  ...(Object.values(ROUTES) as Route[]).filter(({ watch }) => watch).map(({ path }) => path),
  ...(Object.values(DIALECTS) as DialectPlace[]).flatMap(({ prefix, watched = {} }) =>
    Object.keys(watched).map((path) => `${prefix}${path}`),
  ),
].map((path) => path.replace(/:\w+/, '[\\w-]{1,100}'));
const WATCHED_URL = new RegExp(`^(?:${WATCHED_PATHS.join('|')})(?:\\?|$)`);

/** Other upgrades are treated as plain requests: some clients offer h2c with each, and nothing would close their socket. */
export const isWatcher = ({ method, url, headers }: FastifyRequest['raw']): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && WATCHED_URL.test(url!);

/** Routes that use the result must be added after the plugin registered here is loaded. */
export function openWatchers(app: FastifyInstance, deps: Deps): WatchedRoute {
  const admissions = new WeakMap<FastifyRequest['raw'], Admission>();
  const closing = new AbortController();
  const stopping = AbortSignal.any([deps.stopping, closing.signal]);

  app.register(websocket, {
    options: {
      maxPayload: MAX_CLIENT_MESSAGE_BYTES,
      autoPong: false,
      handleProtocols: (_offered, request) => admissions.get(request)?.protocol ?? false,
    },
    // After an error, the socket closes itself with the right code.
    errorHandler: () => {},
    preClose: async () => {
      closing.abort();
      const { clients } = app.websocketServer;
      const late = setTimeout(() => {
        for (const socket of clients) socket.terminate();
      }, CLOSE_GRACE_MS);
      late.unref();
    },
  });

  return (id) => ({
    preHandler: async (request) => {
      if (request.ws) admissions.set(request.raw, await admit(request, id, deps));
    },
    wsHandler: (socket, request) => {
      const { identity } = admissions.get(request.raw)!;
      const { id: job } = request.params as { id: string };
      const baseUrl = deps.baseUrlOf(request);
      if (identity instanceof ServiceError)
        return refuseSocket(socket, closeCode(identity), cutReason(identity.message));
      const messages = (signal: AbortSignal) =>
        deps.watch({ caller: { ...identity, signal }, path: ROUTES[id].path, id: job, baseUrl });
      const onKeyEnd = (end: () => void, until: AbortSignal) => {
        deps.keyWatch.follow(identity.keyHash, end, until);
        deps.sessionWatch.follow(identity.sessionHash, end, until);
      };
      return streamJob(socket, messages, { ...deps, stopping, onKeyEnd });
    },
  });
}

/** Unauthorised clients are accepted first and then closed: a web page sees the close code, but not a refused upgrade. */
async function admit(request: FastifyRequest, id: KeyedOperation, deps: Deps): Promise<Admission> {
  const { authenticate, identify, calls, readForwarded, readError } = deps;
  const { authorization, 'sec-websocket-protocol': offer = '' } = request.headers;
  const { address } = readForwarded(request);
  const offered = offer.split(',', MAX_OFFERED).map((protocol) => protocol.trim());
  const byHeader = authorization !== undefined || offer === '';
  const identifyBy = async (key: string) => ({ ...(await authenticate(`Bearer ${key}`, address)), address });
  const tries = byHeader ? [() => identify(request)] : offered.map((key) => () => identifyBy(key));
  for (const [at, tryToIdentify] of tries.entries()) {
    try {
      const identity = await tryToIdentify();
      await calls.admit(id, identity);
      return { protocol: offered[at], identity };
    } catch (error) {
      const failure = readError(error);
      if (failure.code !== 'UNAUTHORIZED') return { protocol: offered[0], identity: failure };
    }
  }
  return { protocol: offered[0], identity: new ServiceError('UNAUTHORIZED') };
}
