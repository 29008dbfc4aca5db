// Helpers for the net tests: a loopback server, an egress that may reach it, and body readers.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { createEgress, type Egress, type EgressResponse, type EgressSettings } from '../../../src/net/egress.ts';
import type { FollowRequest } from '../../../src/net/redirects.ts';

/** Listens until the test ends; returns the port. */
export async function serve(context: TestContext, listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An egress that may reach 127.0.0.0/8, closed when the test ends. */
export function openEgress(context: TestContext, settings: Partial<EgressSettings> = {}): Egress {
  const egress = createEgress({
    allow: parseAllowList('127.0.0.0/8, localhost'),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
    ...settings,
  });
  context.after(() => egress.close());
  return egress;
}

export const get = (url: string, more: Partial<FollowRequest> = {}): FollowRequest => ({
  url: new URL(url),
  headers: {},
  route: 'basic',
  verifyTls: false,
  ...more,
});

export const soon = (): AbortSignal => AbortSignal.timeout(60_000);

export async function bytesOf({ body }: Pick<EgressResponse, 'body'>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const textOf = async (response: EgressResponse): Promise<string> => (await bytesOf(response)).toString();
