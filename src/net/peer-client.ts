// HTTP and WebSockets to other processes of the same installation. Their addresses come from the registry, so nothing of egress
// applies.
import { WebSocket } from 'ws';
import { createEngineClient, type EngineAnswer, type EngineClient, type EngineRequest } from './engine-client.ts';

export interface PeerClient {
  request(url: string, request: EngineRequest): Promise<EngineAnswer>;
  /** Messages, pings and closing are left to the caller. */
  openSocket(url: string, path: string, headers: Record<string, string>): WebSocket;
  close(): Promise<void>;
}

const HANDSHAKE_MS = 10_000;
/** Limit for messages to and from browsers, see api/sessions. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
const MAX_ORIGINS = 1_000;
const CONNECTIONS = 64;

export function createPeerClient(): PeerClient {
  const clients = new Map<string, EngineClient>();
  const clientFor = (origin: string): EngineClient => {
    const known = clients.get(origin);
    if (known) return known;
    const client = createEngineClient(origin, CONNECTIONS);
    clients.set(origin, client);
    if (clients.size > MAX_ORIGINS) {
      const [oldest, unused] = clients.entries().next().value!;
      clients.delete(oldest);
      unused.close();
    }
    return client;
  };
  return {
    request: (url, { path, ...request }) => clientFor(new URL(url).origin).request({ ...request, path: at(url, path) }),
    openSocket(url, path, headers) {
      const { origin } = new URL(url);
      return new WebSocket(`${origin.replace(/^http/, 'ws')}${at(url, path)}`, {
        ...{ headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE_BYTES },
        ...{ perMessageDeflate: false, autoPong: false, followRedirects: false },
      });
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** A process may be reached below a path. It does not see that path, so it is not part of what is signed. */
const at = (url: string, path: string): string => new URL(url).pathname.replace(/\/$/, '') + path;
