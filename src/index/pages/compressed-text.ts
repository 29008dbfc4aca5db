// Texts of pages as they are kept: compressed, each by itself, at the least cost that a small text can have.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Into a buffer of the right size at once; with room for one byte more, the end is known without another round. */
const SPARE_BYTES = 64;

/** The length stands before it, in four bytes. */
export function compressText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length = bytes.length;
  const packed = zstdCompressSync(bytes, {
    params: FASTEST,
    // Tables are made as large as the text needs them, not as large as any may.
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
