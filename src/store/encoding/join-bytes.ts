// Bytes in a buffer of their own, which can be moved to another thread, unlike parts of Node's shared pool.

/** What a decompressed body may have in addition. */
export const SPARE_BYTES = 64;

export type Bytes = Uint8Array<ArrayBuffer>;

/** With `room`, as many bytes before and after them stay free in the buffer, see JsonText. */
export function joinBytes(parts: Uint8Array[], room = 0): Bytes {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const joined = new Uint8Array(length + 2 * room).subarray(room, room + length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}

/** The bytes themselves if nothing else is in their buffer, except for a few spare bytes at its end. Else a copy. */
export function movable(bytes: Uint8Array): Bytes {
  const { buffer, byteOffset, byteLength } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength - byteLength <= SPARE_BYTES;
  return isAlone ? new Uint8Array(buffer, 0, byteLength) : new Uint8Array(bytes);
}
