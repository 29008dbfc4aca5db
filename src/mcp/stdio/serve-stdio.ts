// `trawl mcp`: the server for an assistant that starts it as a program and talks to it by standard input and output.
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ApiClient } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Log } from '../../runtime/log.ts';
import { createMcpServer, type McpServerOptions } from '../server.ts';
import type { ToolContext } from '../tool.ts';
import { createLineTransport } from './line-transport.ts';

export interface StdioOptions extends Pick<ToolContext, 'readFile'>, Pick<McpServerOptions, 'chosen'> {
  /** Called with the first call of a tool, so that the handshake waits for nothing; again if it failed. */
  connect(): Promise<ApiClient>;
  version: string;
  input: Readable;
  /** Only the protocol is written to it. */
  output: Writable;
  log: Pick<Log, 'warn' | 'error'>;
  /** Ends the server. */
  signal?: AbortSignal;
}

/** Returns when the client has closed its side, or the signal aborts. Calls that are running then are aborted. */
export async function serveMcpOverStdio({ connect, input, output, signal, ...rest }: StdioOptions): Promise<void> {
  const transport = createLineTransport(input, output);
  const api = connectOnUse(connect);
  const handle = serveStdio(() => createMcpServer({ api, ...rest }), {
    transport,
    onerror: (err) => rest.log.warn({ err }, 'mcp: a message was refused'),
  });
  const end = () => void handle.close();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  await transport.closed;
  signal?.removeEventListener('abort', end);
}

function connectOnUse(connect: () => Promise<ApiClient>): ApiClient {
  let connected: Promise<ApiClient> | undefined;
  const service = async () => {
    connected ??= connect();
    try {
      return await connected;
    } catch (error) {
      connected = undefined;
      throw error instanceof ApiError ? error : notConnected(error);
    }
  };
  return {
    call: async (...args) => (await service()).call(...args),
    download: async (...args) => (await service()).download(...args),
  };
}

/** The assistant is told the reason: its user started this program, so it need not be secret. */
const notConnected = (error: unknown): ApiError =>
  new ApiError(error instanceof Error ? error.message : String(error), {
    ...{ code: 'UNREACHABLE', status: 0, retryAfter: undefined, body: undefined },
  });
