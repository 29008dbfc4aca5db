// Many clients on the one pipe to a browser. Each gets its own browser session from Chromium, and messages are routed
// by session, so that no client can see or use the sessions of another.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { CdpError, type Params } from '../cdp.ts';
import type { CdpChannel } from '../session.ts';
import type { BrowserConnection } from '../session-browser.ts';
import { decideCommand } from './cdp-rules.ts';

export interface Multiplexer {
  /** For our own use: not subject to the rules. */
  command(method: string, params?: Params): Promise<Params>;
  /** Opens a client's connection, which is subject to the rules. */
  open(): Promise<CdpChannel>;
}

interface Client {
  /** Its browser session, which is hidden from the client. */
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

interface PendingCommand {
  resolve(result: Params): void;
  reject(error: Error): void;
}

// Clients use ids below, we use ids above: a response without a session is then certainly ours.
const OWN_IDS = 2 ** 30;
const MAX_CLIENTS = 20;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const MAX_METHOD = 100;
const REFUSED = -32_000;
const NO_SESSION = -32_001;
const INVALID = -32_600;
// Chromium writes it last, and quotes within strings are escaped: so a match is the message's own and not part of its
// content.
const SESSION_AT_END = /,"sessionId":"([0-9A-F]{32})"\}$/;
const HEAD_OR_TAIL = 64;
const NEW_CONTEXT = /^\{"id":\d+,"result":\{"browserContextId":"([0-9A-F]{32})"\}/;

export function createMultiplexer(pipe: BrowserConnection): Multiplexer {
  const owners = new Map<string, Client>();
  const clients = new Set<Client>();
  const pending = new Map<number, PendingCommand>();
  let lastId = OWN_IDS;
  let isClosed = false;

  const command = (method: string, params: Params = {}): Promise<Params> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new CdpError('The browser has ended.'));
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      pipe.send(JSON.stringify({ id: lastId, method, params }));
    });

  const handleOwn = (text: string) => {
    const { id, result, error, method, params } = JSON.parse(text);
    if (method === 'Target.detachedFromTarget') owners.get(params.sessionId)?.close();
    const command = pending.get(id);
    if (!command) return;
    pending.delete(id);
    if (error) command.reject(new CdpError(`${error.message}`));
    else command.resolve(result);
  };

  pipe.onMessage((text) => {
    const [end, session] = SESSION_AT_END.exec(text.slice(-HEAD_OR_TAIL)) ?? [];
    if (!end || !session) return handleOwn(text);
    const client = owners.get(session);
    if (!client) return;
    noteAttachment(text, client, owners);
    // Before the client learns of its new context: not every Chromium denies downloads in it by default.
    const [, browserContextId] = NEW_CONTEXT.exec(text) ?? [];
    if (browserContextId)
      command('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => {});
    client.deliver(session === client.root ? `${text.slice(0, -end.length)}}` : text);
  });
  pipe.onClose(() => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new CdpError('The browser has ended.'));
    for (const client of clients) client.close();
  });

  return {
    command,
    async open() {
      if (clients.size >= MAX_CLIENTS) {
        throw new ServiceError('QUEUE_FULL', {
          message: `A session allows ${MAX_CLIENTS} connections at once. Close one first.`,
        });
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

/** A session that a client attaches belongs to that client. */
function noteAttachment(text: string, client: Client, owners: Map<string, Client>): void {
  if (!/^\{"method":"Target\.(attached|detached)/.test(text.slice(0, HEAD_OR_TAIL))) return;
  const { method, params } = JSON.parse(text);
  if (method === 'Target.attachedToTarget') {
    client.sessions.add(params.sessionId);
    owners.set(params.sessionId, client);
  } else if (method === 'Target.detachedFromTarget' && client.sessions.delete(params.sessionId)) {
    owners.delete(params.sessionId);
  }
}

function createClient(
  root: string,
  pipe: BrowserConnection,
  onClose: () => void,
): { client: Client; channel: CdpChannel } {
  const closeListeners: (() => void)[] = [];
  let listener: (message: string) => void = () => {};
  let isOpen = true;

  const client: Client = {
    root,
    sessions: new Set([root]),
    deliver: (text) => listener(text),
    close() {
      if (!isOpen) return;
      isOpen = false;
      onClose();
      for (const onClosed of closeListeners) onClosed();
    },
  };
  const reply = ({ id, sessionId }: Partial<Command>, outcome: Params) =>
    client.deliver(JSON.stringify({ id, ...outcome, sessionId }));

  const forward = (text: string) => {
    const command = readCommand(text);
    // Not a valid message, so there is nothing to reply to.
    if (!command) return client.close();
    const { method, params, sessionId = root } = command;
    if (command.id < 0 || command.id >= OWN_IDS) {
      return reply(command, failure(INVALID, `The id must be between 0 and ${OWN_IDS}`));
    }
    // Clients never see the id of their root session, so they have no business using it.
    if (!client.sessions.has(sessionId) || command.sessionId === root) {
      return reply(command, failure(NO_SESSION, 'Session with given id not found.'));
    }
    const decision = decideCommand(method, params);
    if (decision.verdict === 'refuse') return reply(command, failure(REFUSED, `${method}: ${decision.reason}.`));
    if (decision.verdict === 'leave') {
      reply(command, { result: {} });
      return client.close();
    }
    if (pipe.pendingBytes > MAX_PENDING_BYTES) return client.close();
    // Serialised again from what was judged: the browser might read a duplicate key differently than we did.
    pipe.send(JSON.stringify({ id: command.id, method, params: decision.params, sessionId }));
  };

  const channel: CdpChannel = {
    send(text) {
      if (!isOpen) return;
      try {
        forward(text);
      } catch {
        // Nested too deeply to be serialised again.
        client.close();
      }
    },
    onMessage(onMessage) {
      listener = onMessage;
    },
    onClose(onClosed) {
      if (isOpen) closeListeners.push(onClosed);
      else onClosed();
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
