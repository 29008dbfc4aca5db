// Sockets by which other processes let this one load pages.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Clock } from '../../util/clock.ts';
import type { ErrorReader } from '../errors.ts';
import { startPulse } from '../socket-pulse.ts';
import type { PeerDoor } from './peer-routes.ts';

interface Deps {
  door: PeerDoor;
  stopping: AbortSignal;
  clock: Clock;
  readError: ErrorReader;
}

const PAGE_URL = /^\/peers\/pages\/[a-z]{1,20}$/;
const REFUSED = 1008;
/** A request may carry the state of a profile. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const PING_MS = 10_000;

export const isPageRequest = ({ method, url, headers }: FastifyRequest['raw']): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PAGE_URL.test(url!);

export function openPageSockets(app: FastifyInstance, { door, stopping, clock, readError }: Deps): void {
  const { websocketServer } = app;
  websocketServer.on('headers', (_lines, raw) => {
    if (isPageRequest(raw) && door.senderOf({ raw })) websocketServer.options.maxPayload = MAX_REQUEST_BYTES;
  });
  app.route({
    method: 'GET',
    url: '/peers/pages/:browser',
    onRequest: async (request) => {
      if (!request.ws || !door.senderOf(request)) throw new ServiceError('NOT_FOUND');
    },
    handler: async () => {
      throw new ServiceError('NOT_FOUND');
    },
    wsHandler: (socket: WebSocket, request) => {
      const claims = door.senderOf(request)!;
      const over = new AbortController();
      socket.on('close', () => over.abort());
      socket.on('error', () => socket.terminate());
      // A process that vanished leaves its pages to be cancelled.
      startPulse(socket, { clock, everyMs: PING_MS, signal: over.signal, onLost: () => socket.terminate() });
      socket.once('message', (data) => {
        const first = String(data);
        if (!door.isBodyOf(claims, first)) return socket.close(REFUSED, 'This is not the signed request.');
        const { browser } = request.params as { browser: string };
        return door.servePage(browser, socket, first, { stopping, readError });
      });
    },
  });
}
