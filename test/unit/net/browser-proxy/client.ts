// A raw client of the browser proxy, for checks byte by byte.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { BrowserPass, BrowserProxy } from '../../../../src/net/browser-proxy/browser-proxy.ts';

export interface Client {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Waits until the received text contains `part`; fails if the connection ends before. */
  until(part: string): Promise<string>;
  /** The received text, once the other side has ended the connection. */
  end(): Promise<string>;
}

export const authorization = ({ username, password }: Pick<BrowserPass, 'username' | 'password'>): string =>
  `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

export const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

export async function openClient(t: TestContext, { url }: Pick<BrowserProxy, 'url'>, sent: string): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
  const closed = closeOf(socket);
  await once(socket, 'connect');
  socket.write(sent);
  return {
    socket,
    text: () => text,
    async until(part) {
      while (!text.includes(part)) {
        if (socket.destroyed) throw new Error(`The connection ended after ${JSON.stringify(text)}`);
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      }
      return text;
    },
    async end() {
      await closed;
      return text;
    },
  };
}

/** Resolves when the socket is closed, cleanly or not. */
export const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends one request and returns everything received until the connection ended. */
export async function ask(t: TestContext, proxy: BrowserProxy, ...lines: string[]): Promise<string> {
  const client = await openClient(t, proxy, head(...lines));
  return client.end();
}

export const connectTo = (authority: string, pass: BrowserPass): string[] => [
  `CONNECT ${authority} HTTP/1.1`,
  `Host: ${authority}`,
  authorization(pass),
];

export const getFrom = (url: string, pass: BrowserPass, ...more: string[]): string[] => [
  `GET ${url} HTTP/1.1`,
  `Host: ${URL.parse(url)?.host ?? ''}`,
  authorization(pass),
  ...more,
];

/** A TCP server that is open until the test ends; returns its port and accepted sockets. */
export async function serveTcp(t: TestContext, onSocket: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}
