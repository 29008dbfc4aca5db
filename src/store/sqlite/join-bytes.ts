// Bytes that can be given to another thread: with a buffer of their own, not a part of Node's common pool.

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
