// Connects Playwright, Puppeteer and other CDP clients to the browser of a session. The token in the path serves as the key.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { BrowserSession, CdpChannel, Sessions } from '../../sessions/session.ts';
import type { Clock } from '../../util/clock.ts';
import type { BaseUrlOf } from '../callers/base-url.ts';
import type { ErrorReader } from '../errors.ts';
import type { AwaySockets } from '../peers/away-sockets.ts';
import { refuseSocket } from '../refuse-socket.ts';
import { startPulse } from '../socket-pulse.ts';
import { closeCode, cutReason } from '../watch/job-stream.ts';
import { endCode, type SessionSockets } from './session-sockets.ts';

interface Deps {
  sessions: Sessions;
  sockets: SessionSockets;
  away: AwaySockets;
  baseUrlOf: BaseUrlOf;
  stopping: AbortSignal;
  clock: Clock;
  readError: ErrorReader;
}

const PATH = '/cdp/:token';
const CDP_URL = /^\/cdp\/([\w-]{1,100})(?:\?|$)/;
const CLOSE = { normal: 1000, goingAway: 1001, unsupported: 1003, refused: 1008, internal: 1011, slow: 1013 };

// Large enough for scripts and for bodies of intercepted requests.
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
// Large enough for a screenshot and the events around it. A client with more unread data has stopped reading.
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
const PING_MS = 30_000;
// Messages that may arrive before the connection to the browser is open.
const MAX_EARLY = 1_000;

export const isCdpClient = ({ method, url, headers }: FastifyRequest['raw']): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && CDP_URL.test(url!);

export function openCdpBridge(app: FastifyInstance, deps: Deps): void {
  const { sessions, sockets, away, baseUrlOf } = deps;
  const closing = new AbortController();
  const stopping = AbortSignal.any([deps.stopping, closing.signal]);
  app.addHook('preClose', async () => closing.abort());
  allowLargeMessages(app, sessions, away);
  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token;
  const sessionOf = (request: FastifyRequest) => sessions.findByToken('cdp', tokenOf(request));
  const findAway = (request: FastifyRequest) => away.find(request, ['cdp'], tokenOf(request));

  // Libraries that are given an http URL look up the WebSocket URL here.
  const version = async (request: FastifyRequest) => {
    if (!(sessionOf(request) ?? (await findAway(request)))) throw new ServiceError('SESSION_NOT_FOUND');
    const base = baseUrlOf(request).replace(/^http/, 'ws');
    return {
      Browser: 'Chrome',
      'Protocol-Version': '1.3',
      webSocketDebuggerUrl: `${base}/cdp/${tokenOf(request)}`,
    };
  };
  for (const url of [`${PATH}/json/version`, `${PATH}/json/version/`]) app.get(url, version);

  app.route({
    method: 'GET',
    url: PATH,
    handler: async () => {
      throw new ServiceError('NOT_FOUND', { message: 'This address only accepts WebSocket connections.' });
    },
    preHandler: async (request) => {
      const session = request.ws && sessionOf(request);
      if (session) await sockets.admit(request, session);
      else if (request.ws) await findAway(request);
    },
    wsHandler: (socket, request) => {
      const session = sessionOf(request);
      if (!session && away.relay(socket, request, stopping)) return;
      if (!session) return refuseSocket(socket, CLOSE.refused, 'Browser session not found.');
      const refusal = sockets.refusalOf(request);
      if (refusal) return refuseSocket(socket, closeCode(refusal), cutReason(refusal.message));
      return bridge(socket, session, { ...deps, stopping });
    },
  });
}

/** Raises the message size limit for clients of a session only; it is read when the connection is made. */
function allowLargeMessages(app: FastifyInstance, sessions: Sessions, away: AwaySockets): void {
  const { websocketServer } = app;
  const usual = websocketServer.options.maxPayload;
  websocketServer.on('headers', (_lines, request) => {
    const token = CDP_URL.exec(request.url!)?.[1];
    const isKnown = token !== undefined && (sessions.findByToken('cdp', token) !== undefined || away.isFound(request));
    websocketServer.options.maxPayload = isKnown ? MAX_MESSAGE_BYTES : usual;
  });
}

/** Resolves once the connection to the browser is open or has failed; never rejects. */
async function bridge(socket: WebSocket, session: BrowserSession, deps: Deps): Promise<void> {
  const over = new AbortController();
  const early: string[] = [];
  let channel: CdpChannel | undefined;
  const end = (code: number, reason = '') => {
    socket.close(code, reason);
    over.abort();
  };

  socket.on('close', () => over.abort());
  over.signal.addEventListener('abort', () => channel?.close());
  deps.stopping.addEventListener('abort', () => end(CLOSE.goingAway), { signal: over.signal });
  socket.on('ping', (data) => socket.bufferedAmount < MAX_UNREAD_BYTES && socket.pong(data));
  socket.on('message', (data, isBinary) => {
    if (isBinary) return end(CLOSE.unsupported, 'Messages must be text.');
    session.touch();
    const text = String(data);
    if (channel) channel.send(text);
    else if (early.push(text) > MAX_EARLY) end(CLOSE.refused, 'Too many messages at once.');
  });
  const { signal } = over;
  startPulse(socket, { clock: deps.clock, everyMs: PING_MS, signal, onLost: () => socket.terminate() });

  session.touch();
  try {
    const opened = await session.connect(over.signal);
    opened.onMessage((text) => {
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) return socket.terminate();
      socket.send(text);
    });
    opened.onClose(() => {
      const ended = session.ended.aborted ? deps.readError(session.ended.reason) : undefined;
      end(endCode(ended), ended?.message);
    });
    channel = opened;
    for (const text of early.splice(0)) opened.send(text);
  } catch (error) {
    if (over.signal.aborted) return;
    const failure = deps.readError(error);
    end(endCode(failure, CLOSE.internal), failure.message.slice(0, 100));
  }
}
