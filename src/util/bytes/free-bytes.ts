// Frees buffers as soon as they are used up. V8 counts them, and would otherwise collect the whole heap to get rid of them.

/** Call it only for bytes that nobody else has a view of. Does nothing for views of a larger buffer. */
export function freeBytes(bytes: Uint8Array | undefined): void {
  if (bytes && ownsBuffer(bytes) && !bytes.buffer.detached) bytes.buffer.transfer(0);
}

/**
 * Frees the buffers that these views are parts of, unless they may be Node's pool, which small buffers share. Call it only
 * if nobody has another view of them.
 */
export function freeBuffersOf(views: readonly Uint8Array[]): void {
  for (const { buffer } of views) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize && !buffer.detached) buffer.transfer(0);
  }
}

/** Whether the bytes are all that is in their buffer, so that it can be moved or freed. */
export const ownsBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
