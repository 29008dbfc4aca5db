// Reads streams up to a limit, without ever buffering more than that.
import type { Readable } from 'node:stream';
import { joinBytes } from './copy-bytes.ts';

type Bytes = AsyncIterable<Uint8Array>;

export interface ReadStart {
  bytes: Uint8Array;
  /** False if there was more. */
  isWhole: boolean;
}

/** Reads at most `maxBytes` and leaves the rest unread. */
export async function readStart(source: Bytes, maxBytes: number): Promise<ReadStart> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  const bytes = chunks.length === 1 ? chunks[0]! : await joinBytes(chunks);
  return { bytes: bytes.subarray(0, maxBytes), isWhole: length <= maxBytes };
}

/** Passes the stream on and calls `check`, which may throw, with the number of bytes so far. */
export async function* counted(source: Bytes, check: (total: number) => void): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    check(total);
    yield chunk;
  }
}

export interface KeptStart {
  bytes(): Buffer;
  text(): string;
  isCut(): boolean;
}

/** Keeps the first bytes of a program's output. The rest is read and dropped, so that the program never blocks. */
export function keepStart(stream: Readable, maxBytes: number, onMore: () => void = () => {}): KeptStart {
  const parts: Buffer[] = [];
  let room = maxBytes;
  let isCut = false;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    if (room > 0) parts.push(chunk.subarray(0, room));
    if (chunk.length > room) {
      isCut = true;
      onMore();
    }
    room = Math.max(0, room - chunk.length);
  });
  const bytes = () => Buffer.concat(parts);
  return { bytes, text: () => bytes().toString(), isCut: () => isCut };
}
