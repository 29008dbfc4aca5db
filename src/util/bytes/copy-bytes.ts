// Copies and joins bytes in slices: a copy of a page of 50 MB alone holds the event loop for tens of milliseconds.
import { createSlices, type Slices } from '../slices.ts';

const PIECE = 1024 * 1024;

/** All parts in one buffer that holds nothing else. */
export async function joinBytes(
  parts: readonly Uint8Array[],
  slices: Slices = createSlices(),
): Promise<Buffer<ArrayBuffer>> {
  const joined = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    for (let from = 0; from < part.byteLength; from += PIECE) {
      if (slices.isOver()) await slices.next();
      const piece = part.subarray(from, from + PIECE);
      joined.set(piece, at);
      at += piece.byteLength;
    }
  }
  return joined;
}

export const copyBytes = (bytes: Uint8Array): Promise<Buffer<ArrayBuffer>> => joinBytes([bytes]);
