// A home site and five other origins next to it: another host, a subdomain, another port, and both changes of scheme.
// Every request that arrives is recorded with what it carries.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { startDns } from '../support/dns.ts';
import { selfSignedCertificate } from '../support/web/certificate.ts';
import { writeWay } from './header-ways.ts';

/** What no origin but the home may ever see. The cookie is also what the browser could store. */
export const SECRET = 'canary-4711';
export const SECRET_HEADERS = {
  Authorization: `Bearer ${SECRET}`,
  Cookie: `session=${SECRET}; flag=1`,
  'X-Api-Key': SECRET,
};

export interface Arrival {
  origin: string;
  method: string;
  path: string;
  /** Names of the headers that carry the secret. */
  secrets: string[];
}

export interface HeaderStage {
  /** The origin that the caller names. */
  home: string;
  secureHome: string;
  /** Origins that are not `home`, by what they differ in. */
  others: Readonly<Record<string, string>>;
  arrivals: Arrival[];
  settings: Record<string, string>;
  stop(): Promise<void>;
}

export async function openHeaderStage(): Promise<HeaderStage> {
  const arrivals: Arrival[] = [];
  const sockets = new Set<Socket>();
  const stage = {} as HeaderStage;

  const record = (scheme: string, port: number, request: IncomingMessage) => {
    const { host = '' } = request.headers;
    const secrets = Object.entries(request.headers).filter(([, value]) => String(value).includes(SECRET));
    const origin = new URL(`${scheme}://${host.split(':')[0]}:${port}`).origin;
    const { method = '', url: path = '' } = request;
    arrivals.push({ origin, method, path, secrets: secrets.map(([name]) => name).sort() });
    return origin;
  };
  const answer =
    (scheme: string, port: () => number): RequestListener =>
    (request: IncomingMessage, response: ServerResponse) => {
      const origin = record(scheme, port(), request);
      // Whatever a page of another origin may fetch, it may read: a leak would be one in full.
      response.setHeader('access-control-allow-origin', '*');
      writeWay(stage, origin, request.url ?? '/', response);
    };
  const listen = async (server: Server, scheme: string) => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      record(scheme, portOf(server), request);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const first: Server = createServer(answer('http', () => portOf(first)));
  const second: Server = createServer(answer('http', () => portOf(second)));
  const hosts = ['home.test', 'sub.home.test', 'other.test'];
  const secure: Server = createSecureServer(
    selfSignedCertificate(hosts),
    answer('https', () => portOf(secure)),
  );
  await Promise.all([listen(first, 'http'), listen(second, 'http'), listen(secure, 'https')]);
  const dns = await startDns({ '*.test': ['127.0.0.1'] });

  return Object.assign(stage, {
    home: `http://home.test:${portOf(first)}`,
    secureHome: `https://home.test:${portOf(secure)}`,
    others: {
      'another host': `http://other.test:${portOf(first)}`,
      'a subdomain': `http://sub.home.test:${portOf(first)}`,
      'another port': `http://home.test:${portOf(second)}`,
      'another scheme': `https://home.test:${portOf(secure)}`,
    },
    arrivals,
    settings: { TRAWL_DNS: dns.address, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' },
    async stop() {
      for (const socket of sockets) socket.destroy();
      for (const server of [first, second, secure]) server.close();
      await dns.stop();
    },
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
