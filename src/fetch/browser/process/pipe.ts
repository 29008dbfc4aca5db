// Chromium's debugging protocol over two pipes: JSON messages with a zero byte behind each.
// No port is opened, so no other program can drive the browser, and it ends when the pipes do.
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

export interface BrowserPipe {
  send(message: string): void;
  /** One listener; what comes before there is one is lost. */
  onMessage(listener: (message: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
  /** Bytes that the browser has not taken yet. */
  readonly pendingBytes: number;
}

// A page's HTML, with every quote escaped, and some room: more than that is no message but an attack.
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export function createPipe(toBrowser: Writable, fromBrowser: Readable): BrowserPipe {
  const parts: Buffer[] = [];
  const closed: (() => void)[] = [];
  let heard: (message: string) => void = () => {};
  let bytes = 0;
  let isClosed = false;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    toBrowser.destroy();
    fromBrowser.destroy();
    for (const tell of closed) tell();
  };

  toBrowser.on('error', close);
  fromBrowser.on('error', close).on('close', close);
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      const text = parts.length === 1 ? parts[0]!.toString() : Buffer.concat(parts).toString();
      parts.length = 0;
      bytes = 0;
      start = end + 1;
      if (!isClosed) heard(text);
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_MESSAGE_BYTES) close();
  });

  return {
    send(message) {
      if (!isClosed) toBrowser.write(`${message}\0`);
    },
    onMessage(listener) {
      heard = listener;
    },
    onClose(listener) {
      if (isClosed) listener();
      else closed.push(listener);
    },
    close,
    get pendingBytes() {
      return toBrowser.writableLength;
    },
  };
}

/** The pipe, or a part of it, as Playwright wants it. */
export function createPipeTransport(pipe: Omit<BrowserPipe, 'pendingBytes'>): ConnectOverCDPTransport {
  const transport: ConnectOverCDPTransport = {
    send: (message) => pipe.send(JSON.stringify(message)),
    close: () => pipe.close(),
  };
  // Each in a task of its own: what Playwright does after one message has to be done before it hears the next.
  pipe.onMessage((text) => setImmediate(() => transport.onmessage?.(JSON.parse(text))));
  pipe.onClose(() => setImmediate(() => transport.onclose?.()));
  return transport;
}
