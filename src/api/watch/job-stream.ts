// Sends the messages of a job to one WebSocket, no faster than the client reads, until they end or either side leaves.
// The socket is always closed by the protocol, with a code that says why.
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { ErrorReader } from '../errors.ts';
import { startPulse } from '../socket-pulse.ts';

interface StreamDeps {
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  clock: Clock;
  readError: ErrorReader;
  /** Calls back when the watcher's key ends, until the signal aborts. */
  onKeyEnd(end: () => void, until: AbortSignal): void;
}

const CLOSE = { normal: 1000, goingAway: 1001, refused: 1008, internal: 1011, tryAgain: 1013, unauthorized: 3000 };
// Sent as the close reason and not as a message: a message would end the public clients at once, without the documents.
// After the close they ask once for the status, and get how the job ended and every document.
const DONE = '{"type":"done"}';
const KEY_ENDED = 'Unauthorized: The key is no longer valid.';
// The protocol's limit for a close reason.
const REASON_BYTES = 123;

// Large messages are sent in pieces: each one taken shows that the client reads, and control frames fit in between.
const PIECE_BYTES = 256 * 1024;
const PING_MS = 30_000;
// Clients need not send anything, but some keep the connection alive with messages.
const MAX_CLIENT_MESSAGES = 10_000;
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Resolves when the socket is closing and the iteration has ended; never rejects. */
export async function streamJob(
  socket: WebSocket,
  messages: (signal: AbortSignal) => AsyncIterable<JsonText>,
  { stopping, clock, readError, onKeyEnd }: StreamDeps,
): Promise<void> {
  const over = new AbortController();
  const leave = () => over.abort(new Error('The watcher has left.'));
  const end = (code: number, reason = '') => {
    socket.close(code, cutReason(reason));
    leave();
  };
  const endFor = (error: ServiceError) => end(closeCode(error), error.message);
  const stop = () => endFor(new ServiceError('SERVICE_UNAVAILABLE'));

  if (stopping.aborted) return stop();
  stopping.addEventListener('abort', stop, { signal: over.signal });
  socket.once('close', leave);
  onKeyEnd(() => endFor(new ServiceError('UNAUTHORIZED', { message: KEY_ENDED })), over.signal);
  limitClientMessages(socket, () => end(CLOSE.refused, 'Too many messages. This socket only sends.'));
  const onLost = () => end(CLOSE.refused, 'A ping was not answered.');
  const pulse = startPulse(socket, { clock, everyMs: PING_MS, signal: over.signal, onLost });
  try {
    for await (const { bytes } of messages(over.signal)) await send(socket, bytes, over.signal, pulse.heard);
    end(CLOSE.normal, DONE);
  } catch (error) {
    // Once either side is closing, errors are expected.
    if (socket.readyState === socket.OPEN) endFor(readError(error));
  }
}

export function closeCode({ code, status }: ServiceError): number {
  if (code === 'UNAUTHORIZED' || code === 'SESSION_KEY_ENDED') return CLOSE.unauthorized;
  if (code === 'SERVICE_UNAVAILABLE') return CLOSE.goingAway;
  if (code === 'RATE_LIMITED') return CLOSE.tryAgain;
  return status < 500 ? CLOSE.refused : CLOSE.internal;
}

/** A text that is too long ends with its last complete clause, if it has several. */
export function cutReason(text: string): string {
  const fitting = text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(REASON_BYTES)).read);
  return fitting.length === text.length ? text : (/^.*(?=[,.;] )/su.exec(fitting)?.[0] ?? fitting);
}

async function send(socket: WebSocket, bytes: Uint8Array, signal: AbortSignal, onPiece: () => void): Promise<void> {
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    const fin = at + PIECE_BYTES >= bytes.length;
    // The callback runs when the system has taken the bytes, so a stalled client holds one piece in memory, not a queue.
    const taken = new Promise<void>((resolve, reject) => {
      socket.send(piece, { binary: false, fin }, (error) => (error ? reject(error) : resolve()));
    });
    await raceAbort(taken, signal);
    onPiece();
  }
  // The system often takes the bytes at once, and a long list of messages must not block the event loop.
  await turn();
}

function limitClientMessages(socket: WebSocket, tooMuch: () => void): void {
  let messages = 0;
  socket.on('message', () => {
    messages += 1;
    if (messages > MAX_CLIENT_MESSAGES) tooMuch();
  });
  // A client that pings without reading would fill the memory with answers.
  socket.on('ping', (data) => {
    if (socket.bufferedAmount < MAX_BUFFERED_BYTES) socket.pong(data);
  });
}
