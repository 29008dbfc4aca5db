// Compression of stored bytes: zstd, decompressed into one buffer of the right size.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { SPARE_BYTES } from './join-bytes.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** For frames that do not state their length. */
const CHUNK_BYTES = 64 * 1024;
const LARGEST_CHUNK_BYTES = 16 * 1024 * 1024;

/** A third faster than the default level, with hardly more bytes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compress before the transaction, so that no lock is held in the meantime. */
export type CompressedBytes = Uint8Array;

export const compressBytes = (bytes: Uint8Array): CompressedBytes => zstdCompressSync(bytes, FAST);

/** The same in a thread of Node's pool, for callers whose own thread must not be held up. */
export const compressLater = (bytes: Uint8Array): Promise<CompressedBytes> => compress(bytes, FAST);

/** Decompresses into one buffer of the right size. Growing a buffer, or allocating a large one, takes twice as long. */
export const decompressBytes = (packed: CompressedBytes): Buffer => zstdDecompressSync(packed, oneBufferOf(packed));

export const decompressLater = (packed: CompressedBytes): Promise<Buffer> => decompress(packed, oneBufferOf(packed));

/** One of the two ways, for code that is the same in the store thread, where nobody else waits, and beside a database. */
export interface Compression {
  compress(bytes: Uint8Array): CompressedBytes | Promise<CompressedBytes>;
  decompress(packed: CompressedBytes): Buffer | Promise<Buffer>;
}
export const compressionAtOnce: Compression = { compress: compressBytes, decompress: decompressBytes };
export const compressionLater: Compression = { compress: compressLater, decompress: decompressLater };

function oneBufferOf(packed: CompressedBytes): { chunkSize: number } {
  const length = unpackedLength(packed) ?? CHUNK_BYTES;
  // A spare byte lets zlib notice the end without another round.
  return { chunkSize: Math.min(length + SPARE_BYTES, LARGEST_CHUNK_BYTES) };
}

/** The content size in the header of a zstd frame (RFC 8878, 3.1.1.1). */
function unpackedLength(packed: CompressedBytes): number | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const descriptor = view.getUint8(4);
  const isOneSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isOneSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  switch (descriptor >> 6) {
    case 0:
      return isOneSegment ? view.getUint8(at) : undefined;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}
