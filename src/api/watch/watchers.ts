// The way to an open watcher: who may come in (browsers cannot set headers, so a key may come as a subprotocol) and
// what becomes of all of them when the server closes.
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../contracts/errors.ts';
import { ROUTES, type Route } from '../../contracts/routes.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Team } from '../../store/teams.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonText } from '../../util/json-text.ts';
import type { Authenticate } from '../auth.ts';
import { baseUrlOf } from '../base-url.ts';
import type { ErrorReader } from '../errors.ts';
import { streamJob } from './job-stream.ts';

/** Each item is one message; throws ServiceError before the first for a job that is not there. Ends with the caller's signal. */
export type Watch = (call: WatchCall) => AsyncIterable<JsonText>;

export interface WatchCall {
  caller: Caller;
  /** As in the route table. */
  path: string;
  id: string;
  baseUrl: string;
}

interface Deps {
  authenticate: Authenticate;
  watch: Watch;
  publicUrl?: string;
  stopping: AbortSignal;
  clock: Clock;
  readError: ErrorReader;
}

/** What a route needs, besides its handler for plain requests, to be watched. */
export type WatchedRoute = (path: string) => Pick<RouteOptions, 'preHandler' | 'wsHandler'>;

interface Admission {
  /** The offered subprotocol that is echoed: without one a browser would not open the socket. */
  protocol: string | undefined;
  /** Or why there is none. */
  team: Team | ServiceError;
}

const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;
const MAX_OFFERED = 8;
const CLOSE_GRACE_MS = 1_000;

const WATCHED_PATHS = (Object.values(ROUTES) as Route[])
  .filter(({ watch }) => watch)
  .map(({ path }) => path.replace(/:\w+/, '[\\w-]{1,100}'));
const WATCHED_URL = new RegExp(`^(?:${WATCHED_PATHS.join('|')})(?:\\?|$)`);

/** Any other upgrade is a plain request: some clients offer h2c with each, and nobody would end the bare socket of a bad one. */
export const isWatcher = ({ method, url, headers }: FastifyRequest['raw']): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && WATCHED_URL.test(url!);

/** Routes that use the result must be added after the server has loaded what is registered here. */
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
    // A socket that errs closes by itself, and with the right code.
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

  return (path) => ({
    preHandler: async (request) => {
      if (request.ws) admissions.set(request.raw, await admit(request, deps));
    },
    wsHandler: (socket, request) => {
      const { team } = admissions.get(request.raw)!;
      const { id } = request.params as { id: string };
      const baseUrl = baseUrlOf(request, deps.publicUrl);
      const messages = (signal: AbortSignal) => {
        if (team instanceof ServiceError) throw team;
        return deps.watch({ caller: { team, signal }, path, id, baseUrl });
      };
      return streamJob(socket, messages, { ...deps, stopping });
    },
  });
}

/** Also who is turned away comes in first: a page is told the code of a closed socket, never that of a refused one. */
async function admit({ headers }: FastifyRequest, { authenticate, readError }: Deps): Promise<Admission> {
  const { authorization, 'sec-websocket-protocol': offer = '' } = headers;
  const offered = offer.split(',', MAX_OFFERED).map((protocol) => protocol.trim());
  const byHeader = authorization !== undefined || offer === '';
  const tries = byHeader ? [authorization] : offered.map((key) => `Bearer ${key}`);
  for (const [at, credentials] of tries.entries()) {
    try {
      return { protocol: offered[at], team: await authenticate(credentials) };
    } catch (error) {
      const failure = readError(error);
      if (failure.code !== 'UNAUTHORIZED') return { protocol: offered[0], team: failure };
    }
  }
  return { protocol: offered[0], team: new ServiceError('UNAUTHORIZED') };
}
