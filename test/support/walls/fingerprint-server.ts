// An HTTPS server that sees how its clients speak: the ClientHello, the HTTP/2 settings, and the order of the headers.
import { once } from 'node:events';
import { createServer as createHttp1Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { selfSignedCertificate } from '../web/certificate.ts';
import { readClientHello, type TlsFingerprint } from './client-hello.ts';
import { type Http2Fingerprint, readHttp2Start } from './http2-start.ts';

export interface FingerprintedRequest {
  tls: TlsFingerprint;
  /** Absent over HTTP/1. */
  http2?: Http2Fingerprint;
  host: string;
  path: string;
  /** Names in order, without pseudo-headers. */
  headerNames: string[];
  headers: Record<string, string>;
}

export interface FingerprintAnswer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface FingerprintServer {
  port: number;
  stop(): Promise<void>;
}

type Answer = (request: FingerprintedRequest) => FingerprintAnswer | Promise<FingerprintAnswer>;
type Line = [name: string, value: string];

const HTML = { 'content-type': 'text/html; charset=utf-8' };

export async function startFingerprintServer(hosts: readonly string[], answer: Answer): Promise<FingerprintServer> {
  // What is known of a connection, by the port of the client.
  const hellos = new Map<number | undefined, TlsFingerprint>();
  const starts = new Map<number | undefined, Omit<Http2Fingerprint, 'pseudoHeaders'>>();
  const clients = new Set<Socket>();
  const http2 = createHttp2Server();
  const http1 = createHttp1Server();
  const tls = createTlsServer({ ...selfSignedCertificate(hosts), ALPNProtocols: ['h2', 'http/1.1'] });

  http2.on('session', (session: Http2Session) => session.on('error', () => {}));
  http2.on('stream', async (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw: unknown) => {
    stream.on('error', () => {});
    const lines = linesOf(raw as string[]);
    const port = stream.session?.socket.remotePort;
    const pseudo = lines.filter(([name]) => name.startsWith(':'));
    const value = (name: string) => pseudo.find(([each]) => each === name)?.[1] ?? '';
    const others = lines.filter(([name]) => !name.startsWith(':'));
    const { status, headers, body } = await answer({
      tls: hellos.get(port)!,
      http2: { ...starts.get(port)!, pseudoHeaders: pseudo.map(([name]) => name[1]).join('') },
      ...described(value(':authority'), value(':path'), others),
    });
    if (stream.destroyed) return;
    stream.respond({ ':status': status, ...HTML, ...headers });
    stream.end(body);
  });
  http1.on('request', async (request, response) => {
    const lines = linesOf(request.rawHeaders).map(([name, value]): Line => [name.toLowerCase(), value]);
    const { status, headers, body } = await answer({
      tls: hellos.get(request.socket.remotePort)!,
      ...described(request.headers.host ?? '', request.url ?? '', lines),
    });
    response.writeHead(status, { ...HTML, ...headers }).end(body);
  });
  tls.on('tlsClientError', () => {});
  tls.on('secureConnection', async (socket: TLSSocket) => {
    socket.on('error', () => {});
    if (socket.alpnProtocol !== 'h2') return void http1.emit('connection', socket);
    const start = await peek(socket, readHttp2Start);
    if (!start) return void socket.destroy();
    starts.set(socket.remotePort, start);
    http2.emit('connection', socket);
  });

  const server = createServer(async (socket) => {
    clients.add(socket);
    socket.on('error', () => {}).once('close', () => clients.delete(socket));
    const hello = await peek(socket, readClientHello);
    if (!hello) return void socket.destroy();
    hellos.set(socket.remotePort, hello);
    tls.emit('connection', socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}

const described = (authority: string, path: string, lines: Line[]) => ({
  host: authority.replace(/:\d+$/, ''),
  path,
  headerNames: [...new Set(lines.map(([name]) => name))],
  headers: joined(lines),
});

/** HTTP/2 may split the Cookie header into a line for each cookie. */
function joined(lines: readonly Line[]): Record<string, string> {
  const byName = Map.groupBy(lines, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, some]) => [name, some.map(([, value]) => value).join('; ')]));
}

const linesOf = (raw: readonly string[]): Line[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at]!, raw[2 * at + 1]!]);

/** Reads until `read` returns something other than undefined, and puts the bytes back. Undefined if the client left. */
async function peek<T>(socket: Socket, read: (bytes: Buffer) => T | undefined): Promise<T | undefined> {
  let bytes = Buffer.alloc(0);
  while (!socket.destroyed && !socket.readableEnded) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]).catch(() => {});
      continue;
    }
    bytes = Buffer.concat([bytes, chunk]);
    const result = read(bytes);
    if (result === undefined) continue;
    socket.unshift(bytes);
    return result;
  }
  return undefined;
}
