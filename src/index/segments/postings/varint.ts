// Variable-length integers: seven bits per byte, lowest first; the top bit says that more bytes follow. The gaps
// between the pairs of a page have a code of their own, since most are a little too large for seven bits.

export const MAX_VARINT_BYTES = 5;

/** Writes `value` (below 2^32) and returns the offset after it. The caller provides enough space. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  while (rest > 127) {
    bytes[end++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

/** Smaller gaps take one byte. */
export const TWO_BYTE_GAP = 240;
/** The first byte of a gap that is a varint; those below begin a gap of two bytes. */
const VARINT_GAP = 255;
const LONGER_GAP = TWO_BYTE_GAP + ((VARINT_GAP - TWO_BYTE_GAP) << 8);

/** Like `writeVarint`. */
export function writeGap(bytes: Uint8Array, at: number, gap: number): number {
  if (gap < TWO_BYTE_GAP) {
    bytes[at] = gap;
    return at + 1;
  }
  if (gap >= LONGER_GAP) {
    bytes[at] = VARINT_GAP;
    return writeVarint(bytes, at + 1, gap);
  }
  const rest = gap - TWO_BYTE_GAP;
  bytes[at] = TWO_BYTE_GAP + (rest >> 8);
  bytes[at + 1] = rest & 255;
  return at + 2;
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let byte = this.#bytes[this.#at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    let shift = 7;
    do {
      byte = this.#bytes[this.#at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value >>> 0;
  }

  gap(): number {
    const byte = this.#bytes[this.#at++]!;
    if (byte < TWO_BYTE_GAP) return byte;
    return byte === VARINT_GAP ? this.next() : TWO_BYTE_GAP + ((byte - TWO_BYTE_GAP) << 8) + this.#bytes[this.#at++]!;
  }

  /** Returns where the skipped bytes begin. */
  skip(byteLength: number): number {
    const start = this.#at;
    this.#at += byteLength;
    return start;
  }

  bytes(byteLength: number): Uint8Array {
    const start = this.skip(byteLength);
    return this.#bytes.subarray(start, this.#at);
  }

  text(byteLength: number): string {
    const { buffer, byteOffset } = this.#bytes;
    const text = Buffer.from(buffer, byteOffset + this.#at, byteLength).toString();
    this.#at += byteLength;
    return text;
  }
}
