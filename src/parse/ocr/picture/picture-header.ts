// Reads format and size from the header of a picture, without decoding it.
import { readTiffPages } from './tiff.ts';

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'bmp' | 'jp2' | 'avif' | 'heic';

export interface PictureHeader {
  format: PictureFormat;
  /** In pixels, of the first page. */
  width: number;
  height: number;
}

type Size = [width: number, height: number] | undefined;

const CODESTREAM = Buffer.from('ff4fff51', 'hex');
/** How far to search for the size in formats with nested boxes. */
const HEAD_BYTES = 64 * 1024;

/** Undefined if this is not a picture or its size cannot be read. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(data);
  if (!format) return undefined;
  try {
    const [width, height] = SIZES[format](data) ?? [0, 0];
    return width > 0 && height > 0 ? { format, width, height } : undefined;
  } catch {
    // The file ends before the size.
    return undefined;
  }
}

function formatOf(data: Buffer): PictureFormat | undefined {
  const head = data.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return 'webp';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff';
  if (head.startsWith('BM')) return 'bmp';
  if (/^\0\0\0\x0cjP {2}/.test(head) || head.startsWith('\xff\x4f\xff\x51')) return 'jp2';
  if (/^[\s\S]{4}ftypavi[fs]/.test(head)) return 'avif';
  if (/^[\s\S]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/.test(head)) return 'heic';
  return undefined;
}

const SIZES: Record<PictureFormat, (data: Buffer) => Size> = {
  png: (data) => [data.readUInt32BE(16), data.readUInt32BE(20)],
  jpeg: jpegSize,
  gif: (data) => [data.readUInt16LE(6), data.readUInt16LE(8)],
  webp: webpSize,
  tiff: (data) => {
    const [first] = readTiffPages(data);
    return first && [first.width, first.height];
  },
  bmp: (data) =>
    data.readUInt32LE(14) === 12
      ? [data.readUInt16LE(18), data.readUInt16LE(20)]
      : // The sign of the height only gives the row order.
        [data.readInt32LE(18), Math.abs(data.readInt32LE(22))],
  jp2: (data) => {
    const at = data.indexOf(CODESTREAM);
    return at < 0 ? undefined : [data.readUInt32BE(at + 8), data.readUInt32BE(at + 12)];
  },
  avif: largestExtent,
  heic: largestExtent,
};

function jpegSize(data: Buffer): Size {
  for (let at = 2; at + 9 < data.length; ) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1]!;
    // Fill bytes, and markers without a payload.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [data.readUInt16BE(at + 7), data.readUInt16BE(at + 5)];
    } else at += 2 + Math.max(2, data.readUInt16BE(at + 2));
  }
  return undefined;
}

function webpSize(data: Buffer): Size {
  const chunk = data.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [data.readUIntLE(24, 3) + 1, data.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff];
  if (chunk !== 'VP8L') return undefined;
  const bits = data.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** ISO files list several extents (`ispe`): tiles and thumbnails beside the picture itself. */
function largestExtent(data: Buffer): Size {
  let size: Size;
  const head = data.subarray(0, HEAD_BYTES);
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (!size || width * height > size[0] * size[1]) size = [width, height];
  }
  return size;
}
