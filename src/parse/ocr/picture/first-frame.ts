// Extracts the first frame of an animation: decoders would unpack all frames first, or fail.
import type { PictureFormat } from './picture-header.ts';

const TRAILER = 0x3b;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const CHUNK_HEAD = 8;
/** Position, size and duration of a WebP frame, before its chunks. */
const FRAME_HEAD = 16;

/** Returns the same bytes if there is no animation, or if it is broken: then the decoder reports the error. */
export function firstFrame(bytes: Uint8Array, format: PictureFormat): Uint8Array {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (format === 'gif') return firstOfGif(data);
    if (format === 'webp') return firstOfWebp(data);
  } catch {
    // Truncated file.
  }
  return bytes;
}

function firstOfGif(data: Buffer): Uint8Array {
  const colours = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  const afterBlocks = (start: number) => {
    let at = start;
    while (data.readUInt8(at) !== 0) at += 1 + data[at]!;
    return at + 1;
  };
  let at = 13 + colours(data.readUInt8(10));
  while (data.readUInt8(at) === EXTENSION) at = afterBlocks(at + 2);
  if (data.readUInt8(at) !== IMAGE) return data;
  // The descriptor and colour table are followed by a byte for the LZW code size.
  const end = afterBlocks(at + 10 + colours(data.readUInt8(at + 9)) + 1);
  return Buffer.concat([data.subarray(0, end), Buffer.of(TRAILER)]);
}

function firstOfWebp(data: Buffer): Uint8Array {
  if (data.toString('latin1', 12, 16) !== 'VP8X') return data;
  for (let at = 12; at + CHUNK_HEAD <= data.length; ) {
    const size = data.readUInt32LE(at + 4);
    if (data.toString('latin1', at, at + 4) === 'ANMF') {
      return stillWebp(data.subarray(at + CHUNK_HEAD + FRAME_HEAD, at + CHUNK_HEAD + size));
    }
    at += CHUNK_HEAD + size + (size % 2);
  }
  return data;
}

/** A still WebP with the frame's pixels; its alpha channel is dropped. */
function stillWebp(frame: Buffer): Uint8Array {
  const isAlpha = frame.toString('latin1', 0, 4) === 'ALPH';
  const alphaSize = isAlpha ? frame.readUInt32LE(4) : 0;
  const chunk = frame.subarray(isAlpha ? CHUNK_HEAD + alphaSize + (alphaSize % 2) : 0);
  const pixels = chunk.subarray(0, CHUNK_HEAD + chunk.readUInt32LE(4));
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + pixels.length + (pixels.length % 2), 4);
  return Buffer.concat([head, pixels, Buffer.alloc(pixels.length % 2)]);
}
