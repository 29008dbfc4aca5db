// The browser engine of a process that leaves pages to others: it sends the request to a process with a browser and room.
import type { WebSocket } from 'ws';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { FetchRequest } from '../../fetch/engine.ts';
import type { Fetched } from '../../page/page.ts';
import type { Log } from '../../runtime/log.ts';
import type { ProcessRow } from '../../store/ports/process-registry.ts';
import { fromWire, toWire } from '../peer-calls.ts';
import { unpackPage } from './packed-page.ts';
import { type FromBrowser, type ToBrowser, toWireRequest, type WireNotes } from './page-messages.ts';

export type PageBrowser = 'basic' | 'enhanced';

export interface RemoteBrowserDeps {
  /** A process for the page; `except` has just failed. */
  choose(except?: string): ProcessRow | undefined;
  /** Opens a socket whose signature covers the first message, which is still to be sent. */
  open(process: ProcessRow, browser: PageBrowser, first: string): WebSocket;
  log: Log;
  /** Limit for the page and its captures together. */
  maxBytes?: number;
}

/** The process was lost. `canRepeat`: nothing was done that must not be done twice. */
class Lost {
  readonly canRepeat: boolean;

  constructor(canRepeat: boolean) {
    this.canRepeat = canRepeat;
  }
}

const FIRST_BYTES = 4_096;
/** Larger than any page with all its captures. A process that sends without end must not fill the memory of this one. */
const MAX_BYTES = 512 * 1024 * 1024;
const NO_PAGE = new Uint8Array();

/** Throws what the engine of the other process throws. If that process dies, another one is tried once. */
export async function fetchRemotely(
  deps: RemoteBrowserDeps,
  browser: PageBrowser,
  request: FetchRequest,
  signal: AbortSignal,
): Promise<Fetched> {
  let process = deps.choose();
  for (let isRepeated = false; process; isRepeated = true) {
    const page = await loadAt(deps, process, browser, request, signal);
    if (!(page instanceof Lost)) return admitted(page, request);
    signal.throwIfAborted();
    deps.log.warn({ process: process.name, isRepeated }, 'page lost with the process that loaded it');
    process = isRepeated || !page.canRepeat ? undefined : deps.choose(process.id);
  }
  throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', {
    message: 'This needs a browser. The process that runs browsers did not answer, or stopped. Try again.',
  });
}

/** As an engine decides by the first bytes, before it reads the rest. */
function admitted(page: Fetched, request: FetchRequest): Fetched {
  const admission = request.admit(page.contentType, page.bytes.subarray(0, FIRST_BYTES));
  return admission === 'enough' ? { ...page, bytes: NO_PAGE } : page;
}

function loadAt(
  { open, maxBytes = MAX_BYTES }: RemoteBrowserDeps,
  process: ProcessRow,
  browser: PageBrowser,
  request: FetchRequest,
  signal: AbortSignal,
): Promise<Fetched | Lost> {
  const first = JSON.stringify(toWireRequest(request));
  const socket = open(process, browser, first);
  const { promise, resolve, reject } = Promise.withResolvers<Fetched | Lost>();
  const frames: Uint8Array[] = [];
  let room = maxBytes;
  let isAccepted = false;
  let loaded: Extract<FromBrowser, { type: 'loaded' }> | undefined;
  let resume: (() => number) | undefined;
  const say = (message: ToBrowser) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message));
  const finish = () => {
    const page = loaded?.frames === frames.length ? unpackPage({ json: loaded.page, frames }) : undefined;
    if (page) resolve(page);
  };
  const note = (notes: WireNotes | undefined) => void (request.notes && notes && Object.assign(request.notes, notes));

  const hear = (message: FromBrowser) => {
    if (message.type === 'accepted') isAccepted = true;
    else if (message.type === 'hold') resume ??= request.asker.pausable?.pause();
    else if (message.type === 'resume') {
      resume?.();
      resume = undefined;
    } else if (message.type === 'judge') answerThreatCheck(request, message, signal, say);
    else if (message.type === 'failed') {
      note(message.notes);
      reject(fromWire(message.error));
    } else if (message.type === 'loaded') {
      note(message.notes);
      loaded = message;
      finish();
    }
  };
  const cancel = () => {
    reject(signal.reason);
    socket.terminate();
  };
  socket.on('open', () => socket.send(first));
  socket.on('message', (data, isBinary) => {
    try {
      if (!isBinary) return hear(JSON.parse(String(data)) as FromBrowser);
      room -= (data as Buffer).length;
      if (room < 0) return socket.terminate();
      frames.push(new Uint8Array(data as Buffer));
      finish();
    } catch {
      // An unreadable message counts as lost, and must not end this process.
      socket.terminate();
    }
  });
  socket.on('ping', (data) => socket.pong(data));
  socket.on('error', () => {});
  socket.on('close', () => resolve(new Lost(!isAccepted || request.actions.length === 0)));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return promise.finally(() => {
    signal.removeEventListener('abort', cancel);
    resume?.();
    socket.close();
  });
}

async function answerThreatCheck(
  request: FetchRequest,
  { id, url, byHost }: Extract<FromBrowser, { type: 'judge' }>,
  signal: AbortSignal,
  say: (message: ToBrowser) => void,
): Promise<void> {
  try {
    await request.threatCheck?.[byHost ? 'checkHost' : 'check'](new URL(url), signal);
    say({ type: 'judged', id });
  } catch (error) {
    const failure = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR', { cause: error });
    say({ type: 'judged', id, error: toWire(failure) });
  }
}
