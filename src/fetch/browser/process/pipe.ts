// Chromium's debugging protocol over two pipes, as zero-terminated JSON messages. No port is opened, so no other
// program can control the browser, and it exits when the pipes close.
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import { frame, readFrames } from '../../../runtime/programs/message-frames.ts';

export interface BrowserPipe {
  send(message: string): void;
  /** Replaces the listener. Messages that arrive before the first one are lost. */
  onMessage(listener: (message: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
  /** Bytes that the browser has not read yet. */
  readonly pendingBytes: number;
}

// Larger messages close the pipe: legitimate ones carry at most a page's HTML with every quote escaped.
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export function createPipe(toBrowser: Writable, fromBrowser: Readable): BrowserPipe {
  const closeListeners: (() => void)[] = [];
  let listener: (message: string) => void = () => {};
  let isClosed = false;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    toBrowser.destroy();
    fromBrowser.destroy();
    for (const onClose of closeListeners) onClose();
  };

  toBrowser.on('error', close);
  fromBrowser.on('error', close).on('close', close);
  readFrames(fromBrowser, {
    maxBytes: MAX_MESSAGE_BYTES,
    onMessage: (message) => isClosed || listener(message),
    onTooLong: close,
  });

  return {
    send(message) {
      if (!isClosed) toBrowser.write(frame(message));
    },
    onMessage(onMessage) {
      listener = onMessage;
    },
    onClose(onClose) {
      if (isClosed) onClose();
      else closeListeners.push(onClose);
    },
    close,
    get pendingBytes() {
      return toBrowser.writableLength;
    },
  };
}

/** Adapts the pipe, or a channel of it, to Playwright. `rewrite` may change what Playwright sends; `observe` reads what it gets. */
export function createPipeTransport(
  pipe: Omit<BrowserPipe, 'pendingBytes'>,
  rewrite: (message: object) => object = (message) => message,
  observe: (message: string) => void = () => {},
): ConnectOverCDPTransport {
  const transport: ConnectOverCDPTransport = {
    send: (message) => pipe.send(JSON.stringify(rewrite(message))),
    close: () => pipe.close(),
  };
  // One task a message: Playwright must finish what follows from one before it gets the next.
  pipe.onMessage((text) => {
    observe(text);
    setImmediate(() => transport.onmessage?.(JSON.parse(text)));
  });
  pipe.onClose(() => setImmediate(() => transport.onclose?.()));
  return transport;
}
