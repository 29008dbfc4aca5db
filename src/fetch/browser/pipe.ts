// Chromium's debugging protocol over two pipes: JSON messages with a zero byte behind each.
// No port is opened, so no other program can drive the browser, and it ends when the pipes do.
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

// A page's HTML, with every quote escaped, and some room: more than that is no message but an attack.
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): ConnectOverCDPTransport {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isClosed = false;

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    toBrowser.destroy();
    fromBrowser.destroy();
    transport.onclose?.();
  };

  const transport: ConnectOverCDPTransport = {
    send(message) {
      if (!isClosed) toBrowser.write(`${JSON.stringify(message)}\0`);
    },
    close,
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
      if (!isClosed) transport.onmessage?.(JSON.parse(text));
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_MESSAGE_BYTES) close();
  });
  return transport;
}
