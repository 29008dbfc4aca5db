// A model server on loopback that answers by a rule of the test. It speaks chat-completions, Anthropic's and Google's
// dialect, whole or streamed.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DIALECTS, type Dialect } from './dialects.ts';

/** A call as the server received it, in one shape for all dialects. */
export interface ReceivedCall {
  dialect: Dialect;
  model: string;
  headers: IncomingHttpHeaders;
  /** The instructions. */
  system: string;
  messages: { role: string; text: string }[];
  /** The last user message without its delimiters, by label: `material.page`. */
  material: Record<string, string>;
  /** What kind of structured output the client asked for. */
  format: 'text' | 'json' | 'schema';
  schema?: unknown;
  tools: string[];
  maxOutputTokens: number | undefined;
  isStream: boolean;
  body: Record<string, unknown>;
}

/** What the model says, or how the server fails. */
export type ModelReply =
  | {
      /** Objects are sent as JSON. */
      text?: unknown;
      toolCalls?: { name: string; input: unknown }[];
      finish?: 'stop' | 'length' | 'refusal';
      /** null: the server does not count. */
      usage?: { input: number; output: number } | null;
    }
  | { status: number; headers?: Record<string, string>; error?: string }
  /** It never answers. */
  | 'silence'
  /** It breaks the connection off. */
  | 'hang-up';

export type ReplyRule = (call: ReceivedCall, count: number) => ModelReply | Promise<ModelReply>;

export interface ModelServer {
  url: string;
  calls: ReceivedCall[];
  /** Replaces the rule. */
  answer(rule: ReplyRule): void;
  /** Settings that make a service use this server. */
  settings(dialect?: Dialect, model?: string): Record<string, string>;
  /** The base URL for a dialect. */
  baseUrl(dialect: Dialect): string;
  close(): Promise<void>;
}

export async function startModelServer(first: ReplyRule = () => ({ text: 'ok' })): Promise<ModelServer> {
  let rule = first;
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    const dialect = (Object.keys(DIALECTS) as Dialect[]).find((name) => DIALECTS[name].path.test(path));
    if (!dialect) return void response.writeHead(404).end('{"error":{"message":"no such path"}}');
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
    const read = DIALECTS[dialect].read(body, path);
    const call: ReceivedCall = {
      ...read,
      dialect,
      headers: request.headers,
      material: materialIn(read.messages.findLast(({ role }) => role === 'user')?.text ?? ''),
      body,
    };
    calls.push(call);
    const reply = await rule(call, calls.length);
    if (reply === 'silence') return;
    if (reply === 'hang-up') return void request.socket.destroy();
    if ('status' in reply) return refuse(response, reply);
    DIALECTS[dialect].send(response, call, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const baseUrl = (dialect: Dialect) => `${url}${DIALECTS[dialect].base}`;
  return {
    url,
    calls,
    answer: (next) => {
      rule = next;
    },
    baseUrl,
    settings: (dialect = 'chat', model = 'test-model') => ({
      TRAWL_MODEL: `${DIALECTS[dialect].provider}:${model}`,
      TRAWL_MODEL_URL: baseUrl(dialect),
      TRAWL_MODEL_KEY: 'model-key-for-tests',
    }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(
  response: ServerResponse,
  { status, headers = {}, error = 'refused' }: Extract<ModelReply, { status: number }>,
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message: error, type: 'test', code: 'test' }, type: 'error' }));
}

/** The blocks between delimiters, without them. */
export function materialIn(text: string): Record<string, string> {
  const blocks = text.matchAll(/<(\S+) ([0-9a-f]{16})>\n([\s\S]*?)\n<\/\1 \2>/g);
  return Object.fromEntries([...blocks].map(([, label, , inside]) => [label!, inside!]));
}
