// Opens one CONNECT tunnel, which browsers request for https and WebSockets. TLS is between browser and target.
import type { Socket } from 'node:net';
import { bareHost, portOf } from '../../urls/url.ts';
import { connectWithin, type Sockets } from '../connections/sockets.ts';
import type { Pass } from './passes.ts';

export interface TunnelLimits {
  connectMs: number;
  /** How long a tunnel may be silent in both directions. */
  tunnelIdleMs: number;
}

// host:port as browsers write it. Everything else is left to the URL parser, so that there is one parser only.
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+):\d{1,5}$/i;

/** The target of a CONNECT as a URL for the address rules: http for port 80 (unencrypted WebSockets), else https. */
export function readAuthority(authority: string): URL | undefined {
  if (!AUTHORITY.test(authority)) return undefined;
  return URL.parse(`${authority.endsWith(':80') ? 'http' : 'https'}://${authority}/`) ?? undefined;
}

/** Resolves when the tunnel is open or the browser has gone. Throws ServiceError. `head`: bytes sent along. */
export async function openBrowserTunnel(
  client: Socket,
  head: Buffer,
  url: URL,
  pass: Pass,
  { sockets, limits }: { sockets: Sockets; limits: TunnelLimits },
): Promise<void> {
  const gone = new AbortController();
  client.once('close', () => gone.abort());
  const to = { host: bareHost(url), port: portOf(url) };
  try {
    const target = await connectWithin(limits.connectMs, gone.signal, (signal) =>
      pass.proxy ? sockets.tunnel(pass.proxy, to, signal) : sockets.direct(to, signal),
    );
    if (client.destroyed) return void target.destroy();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    join(client, target, pass, limits.tunnelIdleMs);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** Pipes both ways, each at the pace of its reader, until either side closes. */
function join(client: Socket, target: Socket, pass: Pass, idleMs: number): void {
  target.on('data', (chunk: Buffer) => pass.receive(chunk.length));
  // Bytes already received are still written; the idle limit closes a client that does not read them.
  target.once('close', () => client.destroySoon());
  client.once('close', () => target.destroy());
  // All traffic passes through the client's socket, so it is idle only when both directions are.
  client.setTimeout(idleMs, () => client.destroy());
  target.pipe(client);
  client.pipe(target);
}
