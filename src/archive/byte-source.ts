// Bytes that arrive in chunks, read as lines and as parts of a given length.
import { ArchiveDamage } from './archive-damage.ts';

export interface ByteSource {
  /** Without its end. Undefined at the end of the source; throws if there is no end of the line within the limit. */
  line(maxBytes: number): Promise<string | undefined>;
  /** Undefined if there are fewer. */
  take(length: number): Promise<Uint8Array | undefined>;
  /** False if there are fewer. */
  skip(length: number): Promise<boolean>;
  close(): Promise<void>;
}

const NEWLINE = 10;

export function createByteSource(chunks: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  /** False at the end. */
  const refill = async (): Promise<boolean> => {
    const { done, value } = await iterator.next();
    held = done ? new Uint8Array() : value;
    return !done;
  };

  return {
    async line(maxBytes) {
      const parts: Uint8Array[] = [];
      for (let length = 0; ; ) {
        if (held.byteLength === 0 && !(await refill())) return parts.length === 0 ? undefined : textOf(parts);
        const end = held.indexOf(NEWLINE);
        const part = end < 0 ? held : held.subarray(0, end);
        length += part.byteLength;
        if (length > maxBytes) throw new ArchiveDamage('one of its lines has no end');
        parts.push(part);
        held = end < 0 ? new Uint8Array() : held.subarray(end + 1);
        if (end >= 0) return textOf(parts);
      }
    },
    async take(length) {
      const parts: Uint8Array[] = [];
      for (let missing = length; missing > 0; ) {
        if (held.byteLength === 0 && !(await refill())) return undefined;
        const part = held.subarray(0, missing);
        held = held.subarray(part.byteLength);
        missing -= part.byteLength;
        parts.push(part);
      }
      return Buffer.concat(parts, length);
    },
    async skip(length) {
      for (let missing = length; missing > 0; ) {
        if (held.byteLength === 0 && !(await refill())) return false;
        const part = Math.min(held.byteLength, missing);
        held = held.subarray(part);
        missing -= part;
      }
      return true;
    },
    close: async () => void (await iterator.return?.()),
  };
}

const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
