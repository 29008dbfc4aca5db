// Small image files that decode to huge, endless or circular images.
import { crc32, deflateSync } from 'node:zlib';
import { EITHER, type Ending, type HostileFile, REFUSED, slow } from './hostile-file.ts';
import { packedMegabytes } from './hostile-zip.ts';

const file = (
  title: string,
  name: string,
  bytes: () => Uint8Array,
  endings: readonly Ending[] = EITHER,
): HostileFile => ({
  title,
  name,
  bytes,
  endings,
});

function chunk(type: string, data: Buffer, crc?: number): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc ?? crc32(body));
  return Buffer.concat([length, body, sum]);
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function pngHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  return data;
}

const png = (width: number, height: number, pixels: Buffer, ...before: Buffer[]): Buffer =>
  Buffer.concat([
    PNG,
    chunk('IHDR', pngHeader(width, height)),
    ...before,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);

const white = (width: number, height: number): Buffer =>
  deflateSync(Buffer.alloc((width + 1) * height, 0xff).fill(0, 0, 1));

/** A hundred megabytes of zeros, compressed, without the checksum at the end. */
const bomb = (): Buffer => Buffer.concat([Buffer.from([0x78, 0xda]), packedMegabytes(100)]);

function gif(frames: number): Buffer {
  const head = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([100, 0, 100, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 100, 0, 100, 0, 0, 2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** One tag directory that refers to the next one at `next`. */
function tiff(tags: readonly [tag: number, type: number, count: number, value: number][], next: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 + tags.length * 12 + 4 + 64);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, type, count, value]] of tags.entries()) {
    const at = 10 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(next, 10 + tags.length * 12);
  return bytes;
}

const SMALL_TIFF: [number, number, number, number][] = [
  [256, 4, 1, 8],
  [257, 4, 1, 8],
  [258, 3, 1, 8],
  [259, 3, 1, 1],
  [262, 3, 1, 1],
  [273, 4, 1, 110],
  [277, 3, 1, 1],
  [278, 4, 1, 8],
  [279, 4, 1, 64],
];

const withTag = (tag: number, value: number): [number, number, number, number][] =>
  SMALL_TIFF.map((entry) => (entry[0] === tag ? [entry[0], entry[1], entry[2], value] : entry));

function bmp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(54 + 64);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF');
  bytes.writeUInt32LE(32, 4);
  bytes.write('WEBPVP8X', 8);
  bytes.writeUInt32LE(10, 16);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

export const HOSTILE_PICTURES: readonly HostileFile[] = [
  file('png of 100,000 by 100,000', 'a.png', () => png(100_000, 100_000, white(10, 10)), ['DOCUMENT_TOO_COMPLEX']),
  file('png of 4 billion by 1', 'a.png', () => png(0xffffffff, 1, white(10, 10)), REFUSED),
  file('png without a pixel', 'a.png', () => png(0, 0, white(1, 1)), REFUSED),
  file('png with a text that unpacks to 100 MB', 'a.png', () =>
    png(40, 40, white(40, 40), chunk('zTXt', Buffer.concat([Buffer.from('x\0\0'), bomb()]))),
  ),
  slow(
    file('png with a profile that unpacks to 100 MB', 'a.png', () =>
      png(40, 40, white(40, 40), chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), bomb()]))),
    ),
  ),
  slow(file('png of a few pixels with 100 MB of them', 'a.png', () => png(40, 40, bomb()))),
  file('png with wrong checksums', 'a.png', () =>
    Buffer.concat([PNG, chunk('IHDR', pngHeader(40, 40), 1), chunk('IDAT', white(40, 40), 2)]),
  ),
  file('png with a chunk of 2 GB', 'a.png', () =>
    Buffer.concat([PNG, chunk('IHDR', pngHeader(40, 40)), Buffer.from('7fffffff49444154', 'hex')]),
  ),
  file('png that is a header only', 'a.png', () => PNG, REFUSED),
  file('gif of five thousand frames', 'a.gif', () => gif(5000)),
  file(
    'gif of 65,535 by 65,535',
    'a.gif',
    () =>
      Buffer.concat([
        Buffer.from('GIF89a'),
        Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0]),
        Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 1, 0, 0, 0x3b]),
      ]),
    ['DOCUMENT_TOO_COMPLEX'],
  ),
  file('gif that ends in a frame', 'a.gif', () => gif(3).subarray(0, 30)),
  slow(file('tiff whose directory leads to itself', 'a.tiff', () => tiff(SMALL_TIFF, 8))),
  file(
    'tiff of 100,000 by 100,000',
    'a.tiff',
    () =>
      tiff(
        withTag(256, 100_000).map((entry) => (entry[0] === 257 ? [257, 4, 1, 100_000] : entry)),
        0,
      ),
    ['DOCUMENT_TOO_COMPLEX'],
  ),
  file('tiff with four billion strips', 'a.tiff', () =>
    tiff(
      SMALL_TIFF.map((entry) => (entry[0] === 273 ? [273, 4, 0xffffffff, 8] : entry)),
      0,
    ),
  ),
  file('tiff with pixels beyond its end', 'a.tiff', () => tiff(withTag(273, 0x7fffffff), 0)),
  file('tiff with 65,535 tags that are not there', 'a.tiff', () => Buffer.from('49492a0008000000ffff', 'hex'), REFUSED),
  file('bmp of 100,000 by 100,000', 'a.bmp', () => bmp(100_000, 100_000), ['DOCUMENT_TOO_COMPLEX']),
  file('bmp of negative size', 'a.bmp', () => bmp(-2147483648, -2147483648), REFUSED),
  file('webp of 16 million by 16 million', 'a.webp', () => webp(16_777_216, 16_777_216), REFUSED),
  file(
    'jpeg of 65,535 by 65,535',
    'a.jpg',
    () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b08ffffffff01011100ffda0008010100003f00', 'hex'),
    ['DOCUMENT_TOO_COMPLEX'],
  ),
  file(
    'jpeg that is only marks',
    'a.jpg',
    () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(100_000, 0xff)]),
    REFUSED,
  ),
  file('jpeg with a segment longer than itself', 'a.jpg', () => Buffer.from('ffd8ffe1ffff4578696600', 'hex'), REFUSED),
  file(
    'avif of boxes in each other',
    'a.avif',
    () => {
      let inner: Buffer = Buffer.alloc(0);
      for (let level = 0; level < 2000; level += 1) inner = box('meta', inner);
      return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avifmif1')), inner]);
    },
    REFUSED,
  ),
  file('jp2 that is a header only', 'a.jp2', () => Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'), REFUSED),
];
