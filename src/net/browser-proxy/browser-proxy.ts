// The way out for browsers: an HTTP proxy on loopback that holds every request of a page to the rules of all other requests.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ProxyClass } from '../../contracts/page.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { Exchanges } from '../connections/exchange.ts';
import type { Sockets } from '../connections/sockets.ts';
import type { UpstreamProxy } from '../connections/upstream-proxies.ts';
import { statusText } from '../http/status-text.ts';
import { wireFailure } from '../wire-failure.ts';
import { forward } from './forward.ts';
import { createPasses, type Pass } from './passes.ts';
import { isSameUser } from './peer-user.ts';
import { openBrowserTunnel, readAuthority, type TunnelLimits } from './tunnel.ts';

/** What a browser context needs to get out. A page that meets a problem sees a failing network; the pass knows the reason. */
export type BrowserPass = Pick<Pass, 'username' | 'password' | 'problem' | 'bytes' | 'revoke'>;

export interface Admission {
  proxyClass: ProxyClass;
  country?: string;
  maxBytes?: number;
}

/** An entrance for one browser, all of whose traffic goes on one pass: it need not show it. Other users do not get in. */
export interface BrowserDoor {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface BrowserProxy {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  admit(pass: Admission): BrowserPass;
  /** For a browser whose contexts are made by others, so that nobody could show a pass for each. */
  openDoor(pass: Admission): Promise<BrowserDoor>;
  /** Closes the doors too. */
  close(): Promise<void>;
}

export interface BrowserProxyLimits extends TunnelLimits {
  headerBytes: number;
}

export interface BrowserProxyDeps {
  rules: AddressRules;
  sockets: Sockets;
  exchanges(): Promise<Exchanges>;
  proxyFor(proxyClass: ProxyClass, country: string | undefined): UpstreamProxy | undefined;
  limits: BrowserProxyLimits;
}

const KEEP_ALIVE_MS = 30_000;
const EMPTY = 'Content-Length: 0';

export async function startBrowserProxy(deps: BrowserProxyDeps): Promise<BrowserProxy> {
  const passes = createPasses();
  const doors = new Set<BrowserDoor>();
  const admit = ({ proxyClass, country, maxBytes }: Admission) =>
    passes.create(deps.proxyFor(proxyClass, country), maxBytes);
  const entrance = await openEntrance(deps, ({ headers }) => passes.find(headers['proxy-authorization']));

  return {
    url: entrance.url,
    admit,
    async openDoor(admission) {
      const pass = admit(admission);
      const known = new WeakSet<Socket>();
      const { url, close } = await openEntrance(deps, ({ socket }) => {
        if (!known.has(socket) && !isSameUser(socket)) return undefined;
        known.add(socket);
        return pass;
      });
      const door: BrowserDoor = {
        url,
        close() {
          doors.delete(door);
          pass.revoke();
          return close();
        },
      };
      doors.add(door);
      return door;
    },
    async close() {
      await Promise.all([entrance, ...doors].map((each) => each.close()));
    },
  };
}

/** A listening server that holds each request to its pass and to the rules. */
async function openEntrance(
  deps: BrowserProxyDeps,
  passOf: (incoming: IncomingMessage) => Pass | undefined,
): Promise<BrowserDoor> {
  const { rules, exchanges, limits } = deps;
  const clients = new Set<Socket>();

  // What goes wrong is told to the pass; the client only sees that it failed.
  const carry = async (
    incoming: IncomingMessage,
    url: URL | undefined,
    send: (url: URL, pass: Pass) => Promise<void>,
    lengths: string[],
  ) => {
    const { socket } = incoming;
    const pass = passOf(incoming);
    if (!pass) return answer(socket, 407, ['Proxy-Authenticate: Basic realm="browser"', EMPTY]);
    if (!url) return answer(socket, 400, [EMPTY]);
    if (!pass.enter(socket)) return void socket.destroy();
    try {
      rules.checkUrl(url);
      await send(url, pass);
    } catch (error) {
      const failure = wireFailure(error);
      pass.fail(url, failure);
      answer(socket, failure.code === 'UNSUPPORTED_SITE' ? 403 : 502, lengths);
    }
  };

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.on('request', (incoming, response) => {
    const url = URL.parse(incoming.url ?? '') ?? undefined;
    const send = async (to: URL, pass: Pass) => forward(incoming, response, to, pass, await exchanges());
    // Two lengths make it an error of the network to the page, and not an answer of the site.
    carry(incoming, url?.protocol === 'http:' ? url : undefined, send, [EMPTY, 'Content-Length: 1']);
  });
  server.on('connect', (incoming, client: Socket, head) => {
    const send = (to: URL, pass: Pass) => openBrowserTunnel(client, head, to, pass, deps);
    carry(incoming, readAuthority(incoming.url ?? ''), send, [EMPTY]);
  });
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.on('error', () => {}).once('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      if (!server.listening) return;
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}

/** The last word on a connection. It tells nothing but the status: what is behind a refusal is not the page's business. */
function answer(client: Socket, status: number, lines: readonly string[]): void {
  if (client.destroyed) return;
  client.write(`HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  client.destroySoon();
}
