// Loads a page in a browser of this process for another one, which stays connected while that takes.
import type { WebSocket } from 'ws';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { FetchEngine, FetchRequest } from '../../fetch/engine.ts';
import type { CheckUrl } from '../../net/check-url.ts';
import { fromWire, toWire } from '../peer-calls.ts';
import { packPage } from './packed-page.ts';
import {
  type FromBrowser,
  fromWireRequest,
  type ToBrowser,
  type WireNotes,
  type WireRequest,
} from './page-messages.ts';

const NORMAL = 1000;
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** `first` is the message that the signature of the socket covers. Never rejects. */
export async function servePage(
  engine: FetchEngine,
  socket: WebSocket,
  first: string,
  { stopping, readError }: { stopping: AbortSignal; readError(error: unknown): ServiceError },
): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort(new Error('The process that asked for the page has gone.')));
  const say = (message: FromBrowser) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message));
  let request: FetchRequest | undefined;
  const notes = (): { notes?: WireNotes } =>
    request?.notes ? { notes: { responses: request.notes.responses, browser: request.notes.browser } } : {};
  try {
    const parts = { pausable: createPausable(say), threatCheck: createThreatCheck(socket, say, gone.signal) };
    request = fromWireRequest(JSON.parse(first) as WireRequest, parts);
    say({ type: 'accepted' });
    const page = await engine.fetch(request, AbortSignal.any([gone.signal, stopping]));
    const { json, frames } = packPage(page);
    say({ type: 'loaded', page: json, frames: frames.length, ...notes() });
    for (const frame of frames) await send(socket, frame);
  } catch (error) {
    if (gone.signal.aborted) return;
    say({ type: 'failed', error: toWire(readError(error)), ...notes() });
  }
  socket.close(NORMAL);
}

type Say = (message: FromBrowser) => void;

const createPausable = (say: Say): NonNullable<FetchRequest['asker']['pausable']> => ({
  pause() {
    const began = performance.now();
    say({ type: 'hold' });
    return () => {
      say({ type: 'resume' });
      return Math.round(performance.now() - began);
    };
  },
});

/** The rules of the caller are known to the process that asked. */
function createThreatCheck(socket: WebSocket, say: Say, gone: AbortSignal): NonNullable<FetchRequest['threatCheck']> {
  const asked = new Map<number, (error: ServiceError | undefined) => void>();
  let count = 0;
  socket.on('message', (data) => {
    const { type, id, error } = readMessage(data);
    if (type !== 'judged' || id === undefined) return;
    asked.get(id)?.(error && fromWire(error));
    asked.delete(id);
  });
  const ask =
    (byHost: boolean): CheckUrl =>
    (url, signal) =>
      new Promise<void>((resolve, reject) => {
        count += 1;
        for (const each of [signal, gone]) each.addEventListener('abort', () => reject(each.reason), { once: true });
        asked.set(count, (error) => (error ? reject(error) : resolve()));
        say({ type: 'judge', id: count, url: url.href, byHost });
      });
  return { check: ask(false), checkHost: ask(true) };
}

/** Empty if it cannot be read: then the page waits for its judgement until its time is over. */
function readMessage(data: unknown): Partial<ToBrowser> {
  try {
    return (JSON.parse(String(data)) as ToBrowser | null) ?? {};
  } catch {
    return {};
  }
}

/** Waits for a reader that is behind. */
async function send(socket: WebSocket, frame: Uint8Array): Promise<void> {
  const sent = new Promise<void>((resolve) => {
    socket.send(frame, { binary: true }, () => resolve());
  });
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) await sent;
}
