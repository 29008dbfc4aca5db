// The way out for browsers: an HTTP proxy on loopback that holds every request of a page to the rules of all other requests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ServiceError } from '../contracts/errors.ts';
import type { ProxyClass } from '../contracts/page.ts';
import { bareHost, portOf } from '../util/url.ts';
import type { AddressRules } from './address-rules.ts';
import { forward } from './browser-proxy-forward.ts';
import { createPasses, type Pass } from './browser-proxy-pass.ts';
import type { Exchanges } from './exchange.ts';
import { wireFailure } from './failure.ts';
import type { UpstreamProxy } from './proxies.ts';
import { connectWithin, type Sockets } from './sockets.ts';
import { statusText } from './status-text.ts';

/** What a browser context needs to get out. A page that meets a problem sees a failing network; the pass knows the reason. */
export type BrowserPass = Pick<Pass, 'username' | 'password' | 'problem' | 'bytes' | 'revoke'>;

export interface BrowserProxy {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  admit(pass: { proxyClass: ProxyClass; country?: string; maxBytes?: number }): BrowserPass;
  close(): Promise<void>;
}

export interface BrowserProxyLimits {
  headerBytes: number;
  connectMs: number;
  /** How long a tunnel may be silent in both directions. */
  tunnelIdleMs: number;
}

export interface BrowserProxyDeps {
  rules: AddressRules;
  sockets: Sockets;
  exchanges(): Promise<Exchanges>;
  proxyFor(proxyClass: ProxyClass, country: string | undefined): UpstreamProxy | undefined;
  limits: BrowserProxyLimits;
}

const KEEP_ALIVE_MS = 30_000;
// host:port as browsers write it; everything else about it is left to the one URL parser.
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+):\d{1,5}$/i;

export async function startBrowserProxy({ rules, sockets, exchanges, proxyFor, limits }: BrowserProxyDeps) {
  const passes = createPasses();
  const clients = new Set<Socket>();

  const passOf = ({ headers, socket }: IncomingMessage): Pass | undefined => {
    const pass = passes.find(headers['proxy-authorization']);
    if (!pass) answer(socket, 407, ['Proxy-Authenticate: Basic realm="browser"', 'Content-Length: 0']);
    else if (pass.enter(socket)) return pass;
    else socket.destroy();
    return undefined;
  };

  const onRequest = async (incoming: IncomingMessage, response: ServerResponse) => {
    const pass = passOf(incoming);
    if (!pass) return;
    const url = URL.parse(incoming.url ?? '');
    if (url?.protocol !== 'http:') return answer(incoming.socket, 400, ['Content-Length: 0']);
    try {
      rules.checkUrl(url);
      await forward(incoming, response, url, pass, await exchanges());
    } catch (error) {
      const failure = wireFailure(error);
      pass.fail(url, failure);
      // Two lengths make it an error of the network to the page, and not an answer of the site.
      if (response.headersSent) response.destroy();
      else answer(incoming.socket, statusOf(failure), ['Content-Length: 0', 'Content-Length: 1']);
    }
  };

  const onConnect = async (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const pass = passOf(incoming);
    if (!pass) return;
    const url = readAuthority(incoming.url ?? '');
    if (!url) return answer(client, 400, ['Content-Length: 0']);
    const gone = new AbortController();
    client.once('close', () => gone.abort());
    try {
      rules.checkUrl(url);
      const to = { host: bareHost(url), port: portOf(url) };
      const target = await connectWithin(limits.connectMs, gone.signal, (signal) =>
        pass.proxy ? sockets.tunnel(pass.proxy, to, signal) : sockets.direct(to, signal),
      );
      if (client.destroyed) return void target.destroy();
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) target.write(head);
      join(client, target, pass, limits.tunnelIdleMs);
    } catch (error) {
      if (gone.signal.aborted) return;
      const failure = wireFailure(error);
      pass.fail(url, failure);
      answer(client, statusOf(failure), ['Content-Length: 0']);
    }
  };

  const server = createServer(
    { maxHeaderSize: limits.headerBytes, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
    onRequest,
  );
  server.on('connect', onConnect);
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.on('error', () => {}).once('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const proxy: BrowserProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    admit: ({ proxyClass, country, maxBytes }) => passes.create(proxyFor(proxyClass, country), maxBytes),
    async close() {
      if (!server.listening) return;
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Where a CONNECT leads, as the URL that the rules judge: http for the port of unencrypted WebSockets. */
function readAuthority(authority: string): URL | undefined {
  if (!AUTHORITY.test(authority)) return undefined;
  return URL.parse(`${authority.endsWith(':80') ? 'http' : 'https'}://${authority}/`) ?? undefined;
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

/** The last word on a connection. It tells nothing but the status: what is behind a refusal is not the page's business. */
function answer(client: Socket, status: number, lines: readonly string[]): void {
  if (client.destroyed) return;
  client.write(`HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  client.destroySoon();
}

const statusOf = ({ code }: ServiceError): number => (code === 'UNSUPPORTED_SITE' ? 403 : 502);
