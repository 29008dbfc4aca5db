// Many clients on the one pipe to a browser. Each gets a browser session of Chromium's own, and what is attached in it:
// messages are told apart by their session, so nobody sees or touches what another has opened a connection to.
import { ServiceError } from '../../contracts/errors.ts';
import type { CdpChannel } from '../session.ts';
import type { BrowserPipe } from '../session-browser.ts';
import { judge, type Params } from './cdp-rules.ts';

export interface Multiplexer {
  /** For the owner of the browser: not held to the rules. */
  command(method: string, params?: Params): Promise<Params>;
  /** A client's connection, held to the rules. */
  open(): Promise<CdpChannel>;
}

interface Client {
  /** Its browser session; clients know nothing of it. */
  readonly root: string;
  readonly sessions: Set<string>;
  deliver(text: string): void;
  close(): void;
}

interface Command {
  id: number;
  method: string;
  params: Params;
  sessionId?: string;
}

interface Waiting {
  resolve(result: Params): void;
  reject(error: Error): void;
}

// Ids of clients are below, those of the owner above: an answer without a session then belongs to the owner for sure.
const OWN_IDS = 2 ** 30;
const MAX_CLIENTS = 20;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_METHOD = 100;
const REFUSED = -32_000;
const NO_SESSION = -32_001;
const INVALID = -32_600;
// Chromium puts it last, and a quote within a string is escaped: so it is the message's own and no part of its content.
const SESSION_AT_END = /,"sessionId":"([0-9A-F]{32})"\}$/;
const TAIL_LENGTH = 64;
const NEW_CONTEXT = /^\{"id":\d+,"result":\{"browserContextId":"([0-9A-F]{32})"\}/;

export function createMultiplexer(pipe: BrowserPipe): Multiplexer {
  const owners = new Map<string, Client>();
  const clients = new Set<Client>();
  const waiting = new Map<number, Waiting>();
  let lastId = OWN_IDS;
  let isClosed = false;

  const command = (method: string, params: Params = {}): Promise<Params> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('The browser has ended.'));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      pipe.send(JSON.stringify({ id: lastId, method, params }));
    });

  const toOwner = (text: string) => {
    const { id, result, error, method, params } = JSON.parse(text);
    if (method === 'Target.detachedFromTarget') owners.get(params.sessionId)?.close();
    const asked = waiting.get(id);
    if (!asked) return;
    waiting.delete(id);
    if (error) asked.reject(new Error(`${error.message}`));
    else asked.resolve(result);
  };

  pipe.onMessage((text) => {
    const [end, session] = SESSION_AT_END.exec(text.slice(-TAIL_LENGTH)) ?? [];
    if (!end || !session) return toOwner(text);
    const client = owners.get(session);
    if (!client) return;
    noteAttachment(text, client, owners);
    // Before its maker knows of it: not every Chromium denies downloads by itself.
    const [, browserContextId] = NEW_CONTEXT.exec(text) ?? [];
    if (browserContextId)
      command('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => {});
    client.deliver(session === client.root ? `${text.slice(0, -end.length)}}` : text);
  });
  pipe.onClose(() => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended.'));
    for (const client of clients) client.close();
  });

  return {
    command,
    async open() {
      if (clients.size >= MAX_CLIENTS) {
        throw new ServiceError('QUEUE_FULL', { message: `A session takes ${MAX_CLIENTS} connections at once.` });
      }
      const { sessionId } = await command('Target.attachToBrowserTarget');
      const { client, channel } = createClient(String(sessionId), pipe, () => {
        clients.delete(client);
        for (const session of client.sessions) owners.delete(session);
        command('Target.detachFromTarget', { sessionId }).catch(() => {});
      });
      clients.add(client);
      owners.set(client.root, client);
      return channel;
    },
  };
}

/** What a client attaches to becomes its own. */
function noteAttachment(text: string, client: Client, owners: Map<string, Client>): void {
  if (!/^\{"method":"Target\.(attached|detached)/.test(text.slice(0, TAIL_LENGTH))) return;
  const { method, params } = JSON.parse(text);
  if (method === 'Target.attachedToTarget') {
    client.sessions.add(params.sessionId);
    owners.set(params.sessionId, client);
  } else if (method === 'Target.detachedFromTarget' && client.sessions.delete(params.sessionId)) {
    owners.delete(params.sessionId);
  }
}

function createClient(root: string, pipe: BrowserPipe, onClose: () => void): { client: Client; channel: CdpChannel } {
  const closed: (() => void)[] = [];
  let heard: (message: string) => void = () => {};
  let isOpen = true;

  const client: Client = {
    root,
    sessions: new Set([root]),
    deliver: (text) => heard(text),
    close() {
      if (!isOpen) return;
      isOpen = false;
      onClose();
      for (const tell of closed) tell();
    },
  };
  const answer = ({ id, sessionId }: Partial<Command>, outcome: Params) =>
    client.deliver(JSON.stringify({ id, ...outcome, sessionId }));

  const carry = (text: string) => {
    const command = readCommand(text);
    // Whoever does not speak the protocol cannot be told so in it.
    if (!command) return client.close();
    const { method, params, sessionId = root } = command;
    if (command.id < 0 || command.id >= OWN_IDS) {
      return answer(command, failure(INVALID, `The id must be between 0 and ${OWN_IDS}`));
    }
    // Clients do not know the root, so one that names it has guessed or listened.
    if (!client.sessions.has(sessionId) || command.sessionId === root) {
      return answer(command, failure(NO_SESSION, 'Session with given id not found.'));
    }
    const judgement = judge(method, params);
    if (judgement.verdict === 'refuse') return answer(command, failure(REFUSED, `${method}: ${judgement.reason}.`));
    if (judgement.verdict === 'leave') {
      answer(command, { result: {} });
      return client.close();
    }
    if (pipe.pendingBytes > MAX_WAITING_BYTES) return client.close();
    // Written anew from what was judged: a key that stands twice would be read one way here and another way there.
    pipe.send(JSON.stringify({ id: command.id, method, params: judgement.params, sessionId }));
  };

  const channel: CdpChannel = {
    send(text) {
      if (!isOpen) return;
      try {
        carry(text);
      } catch {
        // Nested so deeply that it cannot be written again.
        client.close();
      }
    },
    onMessage(listener) {
      heard = listener;
    },
    onClose(listener) {
      if (isOpen) closed.push(listener);
      else listener();
    },
    close: client.close,
  };
  return { client, channel };
}

const failure = (code: number, message: string): Params => ({ error: { code, message } });

function readCommand(text: string): Command | undefined {
  let message: Partial<Command> | null;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, method, params = {}, sessionId } = message;
  if (!Number.isSafeInteger(id) || typeof method !== 'string' || method.length > MAX_METHOD) return undefined;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
  if (sessionId !== undefined && typeof sessionId !== 'string') return undefined;
  return { id: id!, method, params, sessionId };
}
