// Variable-length integers: seven bits per byte, lowest first; the top bit says that more bytes follow.

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

  byte(): number {
    return this.#bytes[this.#at++]!;
  }

  text(byteLength: number): string {
    const { buffer, byteOffset } = this.#bytes;
    const text = Buffer.from(buffer, byteOffset + this.#at, byteLength).toString();
    this.#at += byteLength;
    return text;
  }
}
