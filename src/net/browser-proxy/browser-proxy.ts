// The browser's way out: an HTTP proxy on loopback that applies the same rules to a page's requests as to all others.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ProxyClass } from '../../page/page.ts';
import { isSameUser } from '../../runtime/programs/peer-user.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { Exchanges } from '../connections/exchange.ts';
import type { Sockets } from '../connections/sockets.ts';
import type { UpstreamProxy } from '../connections/upstream-proxies.ts';
import { createServer } from '../http/node-http.ts';
import { statusText } from '../http/status-text.ts';
import type { Recorder } from '../recorder.ts';
import { wireFailure } from '../wire-failure.ts';
import { forward } from './forward.ts';
import { createPasses, type Pass } from './passes.ts';
import { openBrowserTunnel, readAuthority, type TunnelLimits } from './tunnel.ts';

/** Credentials for one browser context. A page only sees that the network failed; the pass knows the reason. */
export type BrowserPass = Pick<Pass, 'username' | 'password' | 'problem' | 'bytes' | 'restrict' | 'revoke'>;

export interface PassOptions {
  proxyClass: ProxyClass;
  country?: string;
  maxBytes?: number;
  recorder?: Recorder;
}

/** A port for one browser: all of its traffic uses one pass, without credentials. Other users are refused. */
export interface BrowserEntrance {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly restrict: Pass['restrict'];
  /** Closes all of its connections. */
  close(): Promise<void>;
}

export interface BrowserProxy {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  issuePass(options: PassOptions): BrowserPass;
  /** For a browser whose contexts its clients create, so that nobody could present a pass for each. */
  openEntrance(options: PassOptions): Promise<BrowserEntrance>;
  /** Closes all entrances, too. */
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
const NO_BODY = 'Content-Length: 0';

export async function startBrowserProxy(deps: BrowserProxyDeps): Promise<BrowserProxy> {
  const passes = createPasses();
  const entrances = new Set<BrowserEntrance>();
  const issuePass = ({ proxyClass, country, maxBytes, recorder }: PassOptions) =>
    passes.create(deps.proxyFor(proxyClass, country), maxBytes, recorder);
  const shared = await listen(deps, ({ headers }) => passes.find(headers['proxy-authorization']));

  return {
    url: shared.url,
    issuePass,
    async openEntrance(options) {
      const pass = issuePass(options);
      const verified = new WeakSet<Socket>();
      const { url, close } = await listen(deps, ({ socket }) => {
        if (!verified.has(socket) && !isSameUser(socket)) return undefined;
        verified.add(socket);
        return pass;
      });
      const entrance: BrowserEntrance = {
        url,
        restrict: pass.restrict,
        close() {
          entrances.delete(entrance);
          pass.revoke();
          return close();
        },
      };
      entrances.add(entrance);
      return entrance;
    },
    async close() {
      await Promise.all([shared, ...entrances].map((each) => each.close()));
    },
  };
}

/** A listening server that checks each request against its pass and the rules. */
async function listen(
  deps: BrowserProxyDeps,
  passOf: (incoming: IncomingMessage) => Pass | undefined,
): Promise<Pick<BrowserEntrance, 'url' | 'close'>> {
  const { rules, exchanges, limits } = deps;
  const clients = new Set<Socket>();

  // The pass records what went wrong; the client only sees that the request failed.
  const handle = async (
    incoming: IncomingMessage,
    url: URL | undefined,
    send: (url: URL, pass: Pass) => Promise<void>,
    lengths: string[],
  ) => {
    const { socket } = incoming;
    const pass = passOf(incoming);
    if (!pass) return respond(socket, 407, ['Proxy-Authenticate: Basic realm="browser"', NO_BODY]);
    if (!url) return respond(socket, 400, [NO_BODY]);
    if (!pass.enter(socket, incoming.method === 'CONNECT' ? url : undefined)) return void socket.destroy();
    try {
      rules.checkUrl(url);
      await pass.check(url, limits.connectMs);
      await send(url, pass);
    } catch (error) {
      const failure = wireFailure(error);
      pass.fail(url, failure);
      respond(socket, failure.code === 'UNSUPPORTED_SITE' ? 403 : 502, lengths);
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
    // With two lengths the response is invalid: the page sees a network error and not an answer of the site.
    handle(incoming, url?.protocol === 'http:' ? url : undefined, send, [NO_BODY, 'Content-Length: 1']);
  });
  server.on('connect', (incoming, client: Socket, head) => {
    const send = (to: URL, pass: Pass) => openBrowserTunnel(client, head, to, pass, deps);
    handle(incoming, readAuthority(incoming.url ?? ''), send, [NO_BODY]);
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

/** Sends the final response of a connection. It carries only the status: a page must not learn why it was refused. */
function respond(client: Socket, status: number, lines: readonly string[]): void {
  if (client.destroyed) return;
  client.write(`HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  client.destroySoon();
}
