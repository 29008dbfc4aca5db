// Official MCP clients of both protocol generations, connected to our server within the process.
import { Client } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { connectOverHttp } from '../../src/client/http-connection.ts';
import { createMcpServer, type McpServerOptions } from '../../src/mcp/server.ts';
import type { RunningService } from './service.ts';

export const CLIENT_INFO = { name: 'trawl-tests', version: '1.0.0' };
/** The revision that `@modelcontextprotocol/client` speaks when it is told to. */
export const MODERN = '2026-07-28';

export const newModernClient = (): Client => new Client(CLIENT_INFO, { versionNegotiation: { mode: { pin: MODERN } } });
export const newLegacyClient = (): LegacyClient => new LegacyClient(CLIENT_INFO);

export interface McpClients {
  /** Client for the protocol of 2026-07-28. */
  modern: Client;
  /** Client for the protocols of 2025. */
  legacy: LegacyClient;
  close(): Promise<void>;
}

/** A client of a running service, as `trawl mcp` has one. */
export function apiOf({ url, key }: Pick<RunningService, 'url' | 'key'>): ApiClient & { close(): Promise<void> } {
  const { send, close } = connectOverHttp(url);
  return { ...createApiClient({ send, key, origin: 'mcp' }), close };
}

export async function connectMcpClients(
  options: Pick<McpServerOptions, 'api'> & Partial<McpServerOptions>,
): Promise<McpClients> {
  const serve = (transport: InMemoryTransport) =>
    serveStdio(() => createMcpServer({ version: '0.0.0', log: { error: () => {} }, ...options }), { transport });
  const [ofModern, toModern] = InMemoryTransport.createLinkedPair();
  const [ofLegacy, toLegacy] = InMemoryTransport.createLinkedPair();
  const handles = [serve(toModern), serve(toLegacy)];
  const [modern, legacy] = [newModernClient(), newLegacyClient()];
  await modern.connect(ofModern);
  await legacy.connect(ofLegacy);
  return {
    modern,
    legacy,
    async close() {
      await modern.close();
      await legacy.close();
      for (const handle of handles) await handle.close();
    },
  };
}
