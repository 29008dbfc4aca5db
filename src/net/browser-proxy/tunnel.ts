// One CONNECT, carried out: a browser asks so for https and WebSockets, and speaks TLS with the target itself.
import type { Socket } from 'node:net';
import { bareHost, portOf } from '../../util/url.ts';
import { connectWithin, type Sockets } from '../connections/sockets.ts';
import type { Pass } from './passes.ts';

export interface TunnelLimits {
  connectMs: number;
  /** How long a tunnel may be silent in both directions. */
  tunnelIdleMs: number;
}

// host:port as browsers write it; everything else about it is left to the one URL parser.
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+):\d{1,5}$/i;

/** Where a CONNECT leads, as the URL that the rules judge: http for the port of unencrypted WebSockets. */
export function readAuthority(authority: string): URL | undefined {
  if (!AUTHORITY.test(authority)) return undefined;
  return URL.parse(`${authority.endsWith(':80') ? 'http' : 'https'}://${authority}/`) ?? undefined;
}

/** Resolves when the tunnel is open or the browser wants it no more. Throws ServiceError. `head` is what came with the request. */
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

/** Lets bytes flow both ways until either side ends, each at the pace of its reader. */
function join(client: Socket, target: Socket, pass: Pass, idleMs: number): void {
  target.on('data', (chunk: Buffer) => pass.receive(chunk.length));
  // What has arrived is still written; the time limit ends a side that does not take it.
  target.once('close', () => client.destroySoon());
  client.once('close', () => target.destroy());
  // Whatever passes is written to or read from this side, so its silence is that of both.
  client.setTimeout(idleMs, () => client.destroy());
  target.pipe(client);
  client.pipe(target);
}
