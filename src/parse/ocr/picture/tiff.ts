// Lists the pages of a TIFF and extracts single ones, because the decoders read only the first.

export interface TiffPage {
  width: number;
  height: number;
  /** Offset of its directory... */
  start: number;
  /** ...and of the pointer to the next one. */
  next: number;
}

const FIRST = 4;
const MAX_PAGES = 1000;
const WIDTH = 256;
const HEIGHT = 257;
const SHORT = 3;

/** In order. The list ends at an invalid or repeated offset. */
export function readTiffPages(bytes: Uint8Array): TiffPage[] {
  const view = viewOf(bytes);
  const little = isLittle(bytes);
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  for (let start = view.getUint32(FIRST, little); start !== 0 && pages.length < MAX_PAGES; ) {
    if (start + 2 > bytes.length || seen.has(start)) break;
    seen.add(start);
    const entries = view.getUint16(start, little);
    const next = start + 2 + 12 * entries;
    if (next > bytes.length) break;
    const page = { width: 0, height: 0, start, next };
    for (let at = start + 2; at < next; at += 12) {
      const tag = view.getUint16(at, little);
      if (tag !== WIDTH && tag !== HEIGHT) continue;
      const isShort = view.getUint16(at + 2, little) === SHORT;
      const value = isShort ? view.getUint16(at + 8, little) : view.getUint32(at + 8, little);
      if (tag === WIDTH) page.width = value;
      else page.height = value;
    }
    pages.push(page);
    start = next + 4 <= bytes.length ? view.getUint32(next, little) : 0;
  }
  return pages;
}

/** A copy of the file with this page as its only one. */
export function extractTiffPage(bytes: Uint8Array, { start, next }: TiffPage): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = viewOf(copy);
  const little = isLittle(copy);
  view.setUint32(FIRST, start, little);
  if (next + 4 <= copy.length) view.setUint32(next, 0, little);
  return copy;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const isLittle = (bytes: Uint8Array): boolean => bytes[0] === 0x49;
