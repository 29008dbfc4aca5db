// JSON messages over a byte stream, each followed by a zero byte: the framing of Chromium's debugging pipe.
import type { Readable } from 'node:stream';

export interface FrameOptions {
  /** A longer message calls `onTooLong`. */
  maxBytes: number;
  onMessage(message: string): void;
  onTooLong(): void;
}

export function readFrames(stream: Readable, { maxBytes, onMessage, onTooLong }: FrameOptions): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      const message = parts.length === 1 ? parts[0]!.toString() : Buffer.concat(parts).toString();
      parts.length = 0;
      bytes = 0;
      start = end + 1;
      onMessage(message);
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) onTooLong();
  });
}

export const frame = (message: string): string => `${message}\0`;
