// A unix socket in a folder of its own that takes connections and speaks in messages with a zero byte behind each: how a
// sandbox without a network reaches the one thing it may.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MessageConnection {
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  /** Called once, when the connection is over for whatever reason. */
  onClose(listener: () => void): void;
  close(): void;
}

export interface MessageSocket {
  readonly path: string;
  /** Takes the file away. Whoever has it mounted still comes in. */
  hide(): void;
  close(): void;
}

// What a script sends may hold a file or two; more than that is no message but an attack.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;
const MAX_CONNECTIONS = 8;

export async function listenForMessages(onConnection: (connection: MessageConnection) => void): Promise<MessageSocket> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-socket-'));
  const path = join(folder, 's');
  const sockets = new Set<Socket>();
  const hide = () => rmSync(folder, { recursive: true, force: true });
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    onConnection(speak(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    // The folder is closed to others; a sandbox, in which there is no folder, runs as somebody else.
    chmodSync(path, 0o666);
  } catch (error) {
    server.close();
    hide();
    throw error;
  }
  return {
    path,
    hide,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      hide();
    },
  };
}

function speak(socket: Socket): MessageConnection {
  let parts: Buffer[] = [];
  let bytes = 0;
  let heard: (message: string) => void = () => {};
  let isOpen = true;
  const ended: (() => void)[] = [];

  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOpen = false;
    for (const tell of ended) tell();
  });
  socket.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      const message = Buffer.concat(parts).toString();
      parts = [];
      bytes = 0;
      start = end + 1;
      if (isOpen) heard(message);
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_MESSAGE_BYTES) socket.destroy();
  });

  return {
    send(message) {
      if (!isOpen) return;
      socket.write(`${message}\0`);
      if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
    },
    onMessage(listener) {
      heard = listener;
    },
    onClose(listener) {
      if (isOpen) ended.push(listener);
      else listener();
    },
    close: () => socket.destroy(),
  };
}
