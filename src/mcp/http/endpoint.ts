// The server for HTTP requests. Each request has a server of its own, so nothing is kept between two of them, except which
// calls are running: clients of 2025 cancel a call with another request.
import { randomUUID } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { ApiClient } from '../../client/api-client.ts';
import type { Log } from '../../runtime/log.ts';
import { createMcpServer, type McpServerOptions } from '../server.ts';
import { createRunningCalls } from './running-calls.ts';

interface Exchange extends Pick<McpServerOptions, 'chosen' | 'shown'> {
  headers: Headers;
  /** The parsed body: one message, or a list of them. */
  body: unknown;
  /** The same for all requests of one caller, and for nobody else's. */
  caller: string;
  api: ApiClient;
  /** Aborts when the answer was sent, or cannot be sent any more. */
  over: AbortSignal;
}

export interface McpEndpoint {
  answer(exchange: Exchange): Promise<Response>;
}

const SESSION_HEADER = 'mcp-session-id';
/** Clients send back the name they got; anything else does not name a session. */
const SESSION_ID = /^[\x21-\x7e]{1,100}$/;
/** The answer begins with the first byte that is sent, so the address does not matter. It must not have the caller's key. */
const ADDRESS = 'http://trawl/mcp';

export function createMcpEndpoint(options: { version: string; log: Log }): McpEndpoint {
  const running = createRunningCalls();
  return {
    async answer({ headers, body, caller, api, over, ...choice }) {
      const messages = messagesOf(body);
      const session = headers.get(SESSION_HEADER) ?? '';
      const client = SESSION_ID.test(session) ? `${caller} ${session}` : undefined;
      for (const { method, params } of messages) {
        if (client && method === 'notifications/cancelled') running.cancel(client, params?.requestId);
      }
      const ids = messages.flatMap((message) => (message.method === 'tools/call' ? [message.id] : []));
      const calls = running.add(client, ids, over);
      const handler = createMcpHandler(
        () => createMcpServer({ ...options, ...choice, api, cancelled: calls.signalOf }),
        {
          // A stream has keep-alives, which a call that takes long needs on its way through proxies.
          responseMode: ids.length > 0 ? 'sse' : 'auto',
          onerror: (err) => options.log.debug({ err }, 'mcp: a message was refused'),
        },
      );
      const request = new Request(ADDRESS, { method: 'POST', headers: acceptingBoth(headers), signal: calls.over });
      const response = await handler.fetch(request, { parsedBody: body });
      if (messages.some(({ method }) => method === 'initialize')) response.headers.set(SESSION_HEADER, randomUUID());
      return response;
    },
  };
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown } | null;
}

/** Longer lists are refused later, so nothing is kept for their messages. */
const MAX_MESSAGES = 100;

/** Whether they are messages of the protocol is checked later. */
function messagesOf(body: unknown): Message[] {
  const list: unknown[] = Array.isArray(body) ? body : [body];
  if (list.length > MAX_MESSAGES) return [];
  return list.filter((each): each is Message => typeof each === 'object' && each !== null);
}

/** Programs that do not say what they accept, such as curl, get what the protocol prescribes. */
function acceptingBoth(headers: Headers): Headers {
  const accept = headers.get('accept') ?? '*/*';
  if (accept.trim() === '*/*') headers.set('accept', 'application/json, text/event-stream');
  return headers;
}
