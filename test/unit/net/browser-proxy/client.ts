// A browser's side of the proxy, by hand: what is sent and what comes back, byte for byte.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { BrowserPass, BrowserProxy } from '../../../../src/net/browser-proxy/browser-proxy.ts';

export interface Client {
  readonly socket: Socket;
  /** All that has come so far. */
  text(): string;
  /** Waits until the text so far holds `part`; fails when the connection ends before. */
  until(part: string): Promise<string>;
  /** The text when the other side has ended the connection. */
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

/** Sends one request and gives back all that came until the connection ended. */
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

/** A TCP server that is open until the test ends; gives the port and every socket it has accepted. */
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
