// A small web on loopback: many hosts behind one HTTP and one HTTPS port, and a DNS server that resolves them.
// The service under test reaches it by its own settings (TRAWL_DNS, TRAWL_ALLOW_NETWORKS), never through a special case.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { type DnsServer, startDns } from './dns.ts';
import { selfSignedCertificate } from './web/certificate.ts';
import { type Exchange, type Handler, page, type Site, send } from './web/reply.ts';
import { sites } from './web/sites.ts';

export interface Web {
  port: number;
  securePort: number;
  /** Certificate of the HTTPS port, for tests that want to trust it. */
  certificate: string;
  /** Resolves every name that ends in .test. Tests may change the answers. */
  dns: DnsServer;
  /** Settings that let a service reach this web. */
  settings: Record<string, string>;
  /** `http://HOST:PORT` and the path. */
  url(host: string, path?: string): string;
  /** The same page over TLS. */
  secureUrl(host: string, path?: string): string;
  /** Number of requests to a host, in all or for one path (with or without its query). */
  requests(host: string, path?: string): number;
  stop(): Promise<void>;
}

/** `sharedDns` resolves names for several webs, and is not stopped with this one. */
export async function startWeb(extra: Record<string, Site> = {}, sharedDns?: DnsServer): Promise<Web> {
  const hosts: Record<string, Site> = { ...sites, ...extra };
  const counts = new Map<string, number>();
  const count = (name: string) => {
    const times = (counts.get(name) ?? 0) + 1;
    counts.set(name, times);
    return times;
  };

  const handle = (origin: (host: string) => string) => async (request: IncomingMessage, response: ServerResponse) => {
    const exchange = readExchange(request, response, origin);
    const { host, path } = exchange;
    const [pathname] = path.split('?') as [string];
    count(host);
    exchange.visit = count(host + pathname);
    if (path !== pathname) exchange.visit = count(host + path);
    try {
      await findHandler(hosts[host], pathname)(exchange);
    } catch (error) {
      if (!exchange.signal.aborted) send(exchange, String(error), { status: 500, type: 'text/plain' });
    }
  };

  const { key, cert } = selfSignedCertificate(Object.keys(hosts));
  const origin = (host: string) => `http://${host}:${plain.port}`;
  const secureOrigin = (host: string) => `https://${host}:${secure.port}`;
  const plain = await listen(createServer(handle(origin)));
  // Node's HTTP/2 server has the HTTP/1 interface too, so the same handlers serve both.
  const secure = await listen(createSecureServer({ key, cert, allowHTTP1: true }, handle(secureOrigin) as never));
  const dns = sharedDns ?? (await startDns({ '*.test': ['127.0.0.1'] }));

  return {
    port: plain.port,
    securePort: secure.port,
    certificate: cert,
    dns,
    settings: { TRAWL_DNS: dns.address, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' },
    url: (host, path = '/') => origin(host) + path,
    secureUrl: (host, path = '/') => secureOrigin(host) + path,
    requests: (host, path = '') => counts.get(host + path) ?? 0,
    async stop() {
      await Promise.all([plain.close(), secure.close(), sharedDns ? undefined : dns.stop()]);
    },
  };
}

function readExchange(request: IncomingMessage, response: ServerResponse, origin: (host: string) => string): Exchange {
  const authority = request.headers[':authority'] ?? request.headers.host ?? '';
  const { hostname, pathname, search, searchParams } = new URL(
    request.url ?? '/',
    `http://${authority || 'nowhere.test'}`,
  );
  const left = new AbortController();
  response.on('close', () => left.abort());
  response.on('error', () => left.abort());
  return {
    method: request.method ?? 'GET',
    host: hostname,
    path: pathname + search,
    query: searchParams,
    headers: request.headers,
    protocol: `HTTP/${request.httpVersion}`,
    visit: 0,
    tail: pathname.slice(pathname.lastIndexOf('/') + 1),
    origin,
    async body() {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    signal: left.signal,
    response,
  };
}

const anyHost: Site = { '/': (exchange) => send(exchange, page(`Welcome to ${exchange.host}`)) };

const notFound: Handler = (exchange) =>
  send(exchange, page('Not found', '<p>There is no such page here.</p>'), { status: 404 });

function findHandler(site: Site = anyHost, pathname: string): Handler {
  if (site[pathname]) return site[pathname];
  for (let end = pathname.lastIndexOf('/'); end >= 0; end = end > 0 ? pathname.lastIndexOf('/', end - 1) : -1) {
    const handler = site[`${pathname.slice(0, end)}/*`];
    if (handler) return handler;
  }
  return notFound;
}

interface Listening {
  port: number;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<Listening> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
