// The live view over HTTP: a page that other sites may embed, its script and style, and the WebSocket for pictures and input.
// The token in the path serves as the key.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { viewerMessage } from '../../contracts/browser/live-view.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { createLiveLinks, type LiveLink, type LiveSeat } from '../../operations/browser/live-view.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { Clock } from '../../util/clock.ts';
import type { AwaySockets } from '../peers/away-sockets.ts';
import { refuseSocket } from '../refuse-socket.ts';
import { startPulse } from '../socket-pulse.ts';
import { closeCode, cutReason } from '../watch/job-stream.ts';
import { endCode, type SessionSockets } from './session-sockets.ts';

interface Deps {
  sessions: Sessions;
  sockets: SessionSockets;
  away: AwaySockets;
  stopping: AbortSignal;
  clock: Clock;
}

interface SocketDeps {
  stopping: AbortSignal;
  clock: Clock;
}

const PATH = '/live/:token';
const LIVE_URL = /^\/live\/[\w-]{1,100}(?:\?|$)/;
const FOLDER = join(import.meta.dirname, '../../../web/live-view');
const ASSETS: Record<string, string> = {
  'view.css': 'text/css; charset=utf-8',
  'view.js': 'text/javascript; charset=utf-8',
  'input.js': 'text/javascript; charset=utf-8',
  'keyboard.js': 'text/javascript; charset=utf-8',
};
// The view only receives pictures and text. Only our own script may run, and it may only connect to us.
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  // The URL contains the token, so it must not leak.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};

const CLOSE = { normal: 1000, goingAway: 1001, refused: 1008, slow: 1008, again: 1013 };
// Several pictures. At most two are in flight, so a viewer with more unread data has stopped reading.
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const PING_MS = 20_000;
/** Messages per second; a mouse and a keyboard produce a tenth of that. */
const MAX_RATE = 1_000;

type Mode = 'view' | 'control' | 'gone';

export const isLiveViewer = ({ method, url, headers }: FastifyRequest['raw']): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && LIVE_URL.test(url!);

export function openLiveViews(app: FastifyInstance, { sessions, sockets, away, clock, stopping }: Deps): void {
  const open = createLiveLinks({ sessions, clock });
  const closing = new AbortController();
  const socketDeps = { clock, stopping: AbortSignal.any([stopping, closing.signal]) };
  app.addHook('preClose', async () => closing.abort());
  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token;
  const linkOf = (request: FastifyRequest) => open(tokenOf(request));
  const findAway = (request: FastifyRequest) => away.find(request, ['control', 'view'], tokenOf(request));

  app.get('/live/assets/:file', async (request, reply) => sendAsset(request, reply));
  app.route({
    method: 'GET',
    url: PATH,
    // The upgrade is refused for an unknown token.
    preHandler: async (request) => {
      if (!request.ws) return;
      const link = linkOf(request);
      if (link) await sockets.admit(request, link);
      else if (!(await findAway(request))) throw new ServiceError('SESSION_NOT_FOUND');
    },
    handler: async (request, reply) => {
      const link = linkOf(request);
      const found = link ?? (await findAway(request));
      return sendPage(reply, modeOf(found && ('kind' in found ? found.kind === 'control' : found.isInteractive)));
    },
    wsHandler: (socket, request) => {
      const link = linkOf(request);
      if (!link && away.relay(socket, request, socketDeps.stopping)) return;
      if (!link) return socket.close(CLOSE.refused, 'Browser session not found.');
      const refusal = sockets.refusalOf(request);
      if (refusal) return refuseSocket(socket, closeCode(refusal), cutReason(refusal.message));
      if (socketDeps.stopping.aborted) return socket.close(CLOSE.goingAway);
      return serve(socket, link, socketDeps);
    },
  });
}

const modeOf = (isInteractive: boolean | undefined): Mode => {
  if (isInteractive === undefined) return 'gone';
  return isInteractive ? 'control' : 'view';
};

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

function sendPage(reply: FastifyReply, mode: Mode): FastifyReply {
  return reply
    .code(mode === 'gone' ? 404 : 200)
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(read('page.html').replace('data-mode=""', `data-mode="${mode}"`));
}

function sendAsset({ params }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { file } = params as { file: string };
  const type = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined;
  if (type === undefined) throw new ServiceError('NOT_FOUND');
  return reply
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
    .type(type)
    .send(read(file));
}

function serve(socket: WebSocket, link: LiveLink, { stopping, clock }: SocketDeps): void {
  const over = new AbortController();
  const end = (code: number, reason = '') => {
    socket.close(code, reason);
    over.abort();
  };
  const send = (data: string | Uint8Array) => {
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) return end(CLOSE.slow, 'The viewer reads too slowly.');
    socket.send(data);
  };
  let hasEnded = false;
  const seat = link.join({
    send(message) {
      hasEnded ||= message.type === 'ended';
      send(JSON.stringify(message));
    },
    showFrame: send,
    onEnd: () => end(hasEnded ? endCode(link.endReason()) : CLOSE.again),
  });
  if (!seat) {
    socket.close(CLOSE.again, 'Too many viewers.');
    return;
  }
  over.signal.addEventListener('abort', () => seat.leave());
  socket.on('close', () => over.abort());
  stopping.addEventListener('abort', () => end(CLOSE.goingAway), { signal: over.signal });
  socket.on('ping', (data) => socket.bufferedAmount < MAX_UNREAD_BYTES && socket.pong(data));
  listen(socket, seat, clock, (reason) => end(CLOSE.refused, reason));
  // Also keeps proxies from closing an idle connection.
  startPulse(socket, { clock: clock, everyMs: PING_MS, signal: over.signal, onLost: () => socket.terminate() });
}

function listen(socket: WebSocket, seat: LiveSeat, clock: Clock, refuse: (reason: string) => void): void {
  let second = 0;
  let messages = 0;
  socket.on('message', (data, isBinary) => {
    const now = Math.floor(clock.now() / 1000);
    messages = now === second ? messages + 1 : 1;
    second = now;
    if (messages > MAX_RATE) return refuse('Too many messages.');
    const message = isBinary ? undefined : readMessage(String(data));
    if (!message) return refuse('This is not a live view message.');
    if (message.type === 'seen') seat.seen();
    else if (!seat.act(message)) refuse('This link is view-only.');
  });
}

function readMessage(text: string) {
  try {
    return viewerMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
