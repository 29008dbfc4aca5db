// A Unix socket, in a private folder, that exchanges zero-terminated messages: the only thing that a sandbox without a
// network can reach.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frame, readFrames } from '../runtime/programs/message-frames.ts';

export interface MessageConnection {
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  /** Called once, when the connection closes for any reason. */
  onClose(listener: () => void): void;
  close(): void;
}

export interface MessageSocket {
  readonly path: string;
  /** Deletes the socket file. A sandbox that has it mounted can still connect. */
  hide(): void;
  close(): void;
}

// Larger messages close the connection: legitimate ones carry at most a file or two.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_PENDING_BYTES = 256 * 1024 * 1024;
const MAX_CONNECTIONS = 8;

export async function listenForMessages(onConnection: (connection: MessageConnection) => void): Promise<MessageSocket> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-socket-'));
  const path = join(folder, 's');
  const sockets = new Set<Socket>();
  const hide = () => rmSync(folder, { recursive: true, force: true });
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    onConnection(createConnection(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    // Other users cannot enter the folder. A sandbox only sees the mounted socket, and may run as another user.
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

function createConnection(socket: Socket): MessageConnection {
  const closeListeners: (() => void)[] = [];
  let listener: (message: string) => void = () => {};
  let isOpen = true;

  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOpen = false;
    for (const onClose of closeListeners) onClose();
  });
  readFrames(socket, {
    maxBytes: MAX_MESSAGE_BYTES,
    onMessage: (message) => isOpen && listener(message),
    onTooLong: () => socket.destroy(),
  });

  return {
    send(message) {
      if (!isOpen) return;
      socket.write(frame(message));
      if (socket.writableLength > MAX_PENDING_BYTES) socket.destroy();
    },
    onMessage(onMessage) {
      listener = onMessage;
    },
    onClose(onClose) {
      if (isOpen) closeListeners.push(onClose);
      else onClose();
    },
    close: () => socket.destroy(),
  };
}
