// Vectors of chunks as they are stored: those of our own encoder with one byte a number, those of a server with four. Each is
// found by the hash of its text.
import type { TextVector } from '../../text/text-vectors.ts';

export type StoredVector = { kind: 'own'; numbers: Int8Array } | { kind: 'server'; numbers: Float32Array };

export const ownVector = (numbers: TextVector): StoredVector => ({ kind: 'own', numbers });
export const serverVector = (numbers: Float32Array): StoredVector => ({ kind: 'server', numbers });

/** Bytes of a hash: enough among the chunks of one page. */
const NAME = 12;
/** Kind and length. */
const HEAD = 3;
/** A page with more keeps those of its beginning. */
const MAX_BYTES = 512 * 1024;

/** As they were added. A model that has changed behind its name counts from its newest vector on: others are left out. */
export function packVectors(vectors: ReadonlyMap<string, StoredVector>): Uint8Array {
  const newest = [...vectors.values()].at(-1);
  if (!newest) return new Uint8Array();
  const { length, byteLength } = newest.numbers;
  const size = NAME + byteLength;
  const alike = [...vectors].filter(
    ([, { numbers }]) => numbers.byteLength === byteLength && numbers.length === length,
  );
  const kept = alike.slice(0, Math.floor((MAX_BYTES - HEAD) / size));
  const bytes = Buffer.alloc(HEAD + kept.length * size);
  bytes.writeUInt8(newest.kind === 'own' ? 1 : 4, 0);
  bytes.writeUInt16LE(length, 1);
  for (const [at, [name, { numbers }]] of kept.entries()) {
    bytes.write(name, HEAD + at * size, NAME, 'hex');
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), HEAD + at * size + NAME);
  }
  return bytes;
}

export interface ReadVectors {
  readonly size: number;
  has(name: string): boolean;
  get(name: string): StoredVector | undefined;
}

export function readVectors(stored: Uint8Array | undefined): ReadVectors {
  const byName = new Map<string, StoredVector>();
  if (stored && stored.length > HEAD) {
    const bytes = Buffer.from(stored);
    const width = bytes.readUInt8(0);
    const length = bytes.readUInt16LE(1);
    const size = NAME + width * length;
    for (let from = HEAD; from + size <= bytes.length; from += size) {
      // A copy: numbers of four bytes cannot begin anywhere.
      const numbers = Uint8Array.from(bytes.subarray(from + NAME, from + size)).buffer;
      const vector = width === 1 ? ownVector(new Int8Array(numbers)) : serverVector(new Float32Array(numbers));
      byName.set(bytes.toString('hex', from, from + NAME), vector);
    }
  }
  const short = (name: string) => name.slice(0, NAME * 2);
  return { size: byName.size, has: (name) => byName.has(short(name)), get: (name) => byName.get(short(name)) };
}

/** What a caller gets. Our own vectors have the length 1, like those of most servers. */
export function vectorNumbers({ kind, numbers }: StoredVector): number[] {
  if (kind === 'server') return Array.from(numbers, (number) => Math.round(number * 1e8) / 1e8);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0)) || 1;
  return Array.from(numbers, (number) => Math.round((number / length) * 1e5) / 1e5);
}
