// Joins bytes into a buffer of their own, which can be moved to another thread, unlike parts of Node's shared pool.

export type Bytes = Uint8Array<ArrayBuffer>;

export function joinBytes(parts: Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
