// Compresses page texts one by one, with settings that are fast for small texts.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };
/**
 * The output buffer has the right size from the start. One spare byte lets zlib notice the end without another round.
 */
const SPARE_BYTES = 64;

/** The uncompressed length comes first, in four bytes. */
export function compressText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length = bytes.length;
  const packed = zstdCompressSync(bytes, {
    params: FASTEST,
    // Makes zstd size its tables for this text instead of for any text.
    pledgedSrcSize: length,
    chunkSize: Math.max(length, SPARE_BYTES) + SPARE_BYTES,
  });
  const kept = Buffer.allocUnsafe(packed.length + 4);
  kept.writeUInt32LE(length);
  kept.set(packed, 4);
  return kept;
}

export function decompressText(kept: Uint8Array): string {
  const length = new DataView(kept.buffer, kept.byteOffset).getUint32(0, true);
  return zstdDecompressSync(kept.subarray(4), { chunkSize: length + SPARE_BYTES }).toString();
}
