// An upstream HTTP proxy on loopback: CONNECT and absolute form, with a record of the requests.
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyOptions {
  /** Maps `host:port` of a request to the real target; by default the same. */
  target?(authority: string): { host: string; port: number };
  /** `user:password` that must be sent. */
  credentials?: string;
  /** Rejects every request with this status. */
  status?: number;
  /** Headers and text of a rejection. */
  page?: { headers: Record<string, string>; text: string };
  /** Rejects tunnels with this status, or by closing the connection, but forwards requests in absolute form. */
  tunnels?: number | 'hang up';
}

export interface TestProxy {
  readonly port: number;
  readonly url: string;
  /** `CONNECT host:port` or `GET http://...`, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const expected = options.credentials && `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  const refusal = (authorization: string | undefined) =>
    options.status ?? (expected && authorization !== expected ? 407 : undefined);
  const locate = (authority: string) => {
    if (options.target) return options.target(authority);
    const url = new URL(`http://${authority}`);
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || 80 };
  };

  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const status = refusal(incoming.headers['proxy-authorization']);
    if (status) {
      answer.writeHead(status, options.page?.headers).end(options.page?.text);
      return;
    }
    const url = new URL(incoming.url ?? '');
    const { 'proxy-authorization': _secret, ...headers } = incoming.headers;
    const outgoing = httpRequest({
      ...locate(url.host),
      method: incoming.method,
      path: url.pathname + url.search,
      headers,
    });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.writeHead(502).end());
    incoming.pipe(outgoing);
  });

  server.on('connect', (incoming, client: Socket, head: Buffer) => {
    asked.push(`CONNECT ${incoming.url}`);
    client.on('error', () => client.destroy());
    if (options.tunnels === 'hang up') {
      client.destroy();
      return;
    }
    const status = options.tunnels ?? refusal(incoming.headers['proxy-authorization']);
    if (status) {
      client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(locate(incoming.url ?? ''));
    sockets.add(upstream);
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
    upstream.on('close', () => client.destroy());
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
