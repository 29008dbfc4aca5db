// Connects the socket of a client with that of the process that has its session: messages, pings and closing go both ways, and
// who reads slowly slows the other side down.
import type { WebSocket } from 'ws';

const CLOSE = { goingAway: 1001, noStatus: 1005, lost: 1006, refused: 1008, internal: 1011 };
const FIRST_OWN_CODE = 3000;
const NOT_FOUND = 404;
/** Reading pauses while the other side has this much left to read. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
const LOST = 'The process that ran this session has stopped.';
const GONE = 'Browser session not found.';

export function relaySocket(client: WebSocket, upstream: WebSocket, stopping: AbortSignal): void {
  const over = new AbortController();
  const endClient = (code: number, reason: string) => {
    over.abort();
    client.close(code, reason);
    upstream.terminate();
  };
  // Nothing is read before it can be passed on.
  client.pause();
  upstream.once('open', () => {
    pump(client, upstream);
    pump(upstream, client);
    client.resume();
  });
  upstream.on('unexpected-response', (_request, { statusCode }) => {
    client.resume();
    if (statusCode === NOT_FOUND) endClient(CLOSE.refused, GONE);
    else endClient(CLOSE.internal, LOST);
  });
  upstream.on('error', () => {});
  upstream.once('close', (code, reason) => {
    client.resume();
    if (over.signal.aborted) return;
    if (code === CLOSE.lost) endClient(CLOSE.internal, LOST);
    else closeAs(client, code, reason);
    over.abort();
  });
  client.on('error', () => {});
  client.once('close', (code, reason) => {
    over.abort();
    if (code === CLOSE.lost || upstream.readyState !== upstream.OPEN) upstream.terminate();
    else closeAs(upstream, code, reason);
  });
  stopping.addEventListener('abort', () => endClient(CLOSE.goingAway, ''), { signal: over.signal });
  if (stopping.aborted) endClient(CLOSE.goingAway, '');
}

function pump(from: WebSocket, to: WebSocket): void {
  const go = () => to.bufferedAmount < MAX_UNREAD_BYTES && from.isPaused && from.resume();
  const passOn = (send: () => void) => {
    if (to.readyState !== to.OPEN) return;
    send();
    if (to.bufferedAmount >= MAX_UNREAD_BYTES) from.pause();
  };
  from.on('message', (data, isBinary) => passOn(() => to.send(data as Buffer, { binary: isBinary }, go)));
  // Both ends look for themselves whether the other one is there.
  from.on('ping', (data) => passOn(() => to.ping(data, undefined, go)));
  from.on('pong', (data) => passOn(() => to.pong(data, undefined, go)));
}

/** Codes that stand for a missing one cannot be sent. */
function closeAs(socket: WebSocket, code: number, reason: Buffer): void {
  const isSendable =
    code >= FIRST_OWN_CODE || (code >= 1000 && code <= 1014 && code !== 1004 && code !== CLOSE.noStatus);
  if (isSendable && code !== CLOSE.lost) socket.close(code, reason);
  else socket.close();
}
