// What is known about a picture before it is decoded: format, size, pages and first frame.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { firstFrame } from '../../../../src/parse/ocr/picture/first-frame.ts';
import { type PictureFormat, readPictureHeader } from '../../../../src/parse/ocr/picture/picture-header.ts';
import { extractTiffPage, readTiffPages } from '../../../../src/parse/ocr/picture/tiff.ts';
import { FFMPEG, NEEDS_FFMPEG } from '../../../support/media-tools.ts';
import { fixture } from '../../../support/ocr.ts';

/** The first frames of a test video of 60 x 40 pixels. */
function renderVideo(args: string[], frames = 1): Uint8Array {
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=60x40:rate=5'];
  const { stdout, status, stderr } = spawnSync(FFMPEG!, [
    '-v',
    'error',
    ...input,
    '-frames:v',
    `${frames}`,
    ...args,
    'pipe:1',
  ]);
  assert.equal(status, 0, stderr.toString());
  return stdout;
}

test('the size is read from the header of every format', NEEDS_FFMPEG, () => {
  const written: [PictureFormat, string[]][] = [
    ['png', ['-c:v', 'png', '-f', 'image2pipe']],
    ['jpeg', ['-c:v', 'mjpeg', '-f', 'image2pipe']],
    ['gif', ['-f', 'gif']],
    ['webp', ['-c:v', 'libwebp', '-f', 'webp']],
    ['webp', ['-c:v', 'libwebp', '-lossless', '1', '-f', 'webp']],
    ['tiff', ['-c:v', 'tiff', '-f', 'image2pipe']],
    ['bmp', ['-c:v', 'bmp', '-f', 'image2pipe']],
    ['jp2', ['-c:v', 'jpeg2000', '-f', 'image2pipe']],
  ];
  for (const [format, args] of written) {
    assert.deepEqual(readPictureHeader(renderVideo(args)), { format, width: 60, height: 40 }, format);
  }
});

test('a still picture in an ISO container has the size of its largest extent', () => {
  const extent = (width: number, height: number) => {
    const box = Buffer.from('\0\0\0\x14ispe\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  };
  for (const [brand, format] of [
    ['avif', 'avif'],
    ['heic', 'heic'],
    ['mif1', 'heic'],
  ]) {
    const bytes = Buffer.concat([Buffer.from(`\0\0\0\x0cftyp${brand}`, 'latin1'), extent(16, 16), extent(300, 200)]);
    assert.deepEqual(readPictureHeader(bytes), { format, width: 300, height: 200 });
  }
});

test('bytes that are not a picture, or have no size, are not recognised', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x05', 'latin1');
  const endless = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(100)]);
  for (const bytes of [
    Buffer.from('/etc/passwd'),
    png,
    png.subarray(0, 18),
    Buffer.from('GIF89a'),
    endless,
    Buffer.from('II*\0'),
  ]) {
    assert.equal(readPictureHeader(bytes), undefined);
  }
});

test('the pages of a TIFF are listed, and each can be extracted as a file', () => {
  const bytes = fixture('image--fax-of-two-pages', 'tiff');
  const pages = readTiffPages(bytes);
  assert.equal(pages.length, 2);
  const second = extractTiffPage(bytes, pages[1]!);
  assert.deepEqual(readTiffPages(second), [pages[1]]);
  assert.deepEqual(readTiffPages(bytes), pages, 'the original file must not change');
});

test('a TIFF whose page list loops or points outside the file ends there', () => {
  const bytes = Uint8Array.from(fixture('image--fax-of-two-pages', 'tiff'));
  const [first, second] = readTiffPages(bytes);
  const view = new DataView(bytes.buffer);
  const little = bytes[0] === 0x49;
  view.setUint32(second!.next, first!.start, little);
  assert.equal(readTiffPages(bytes).length, 2);
  view.setUint32(first!.next, 0xfffffff0, little);
  assert.equal(readTiffPages(bytes).length, 1);
});

test('only the first frame of an animation is kept', NEEDS_FFMPEG, () => {
  const gif = renderVideo(['-f', 'gif'], 3);
  const still = firstFrame(gif, 'gif');
  assert.ok(still.length < gif.length);
  assert.equal(countFrames(still, 'gif'), 1);

  const webp = renderVideo(['-c:v', 'libwebp_anim', '-f', 'webp'], 3);
  assert.equal(countFrames(webp, 'webp_pipe'), 0, 'ffmpeg cannot decode the animation itself');
  assert.equal(countFrames(firstFrame(webp, 'webp'), 'webp_pipe'), 1);
});

test('a still picture or a truncated animation is left unchanged', NEEDS_FFMPEG, () => {
  const webp = renderVideo(['-c:v', 'libwebp', '-f', 'webp']);
  assert.deepEqual(firstFrame(webp, 'webp'), Buffer.from(webp));
  const cut = renderVideo(['-f', 'gif'], 3).subarray(0, 300);
  assert.deepEqual(firstFrame(cut, 'gif'), cut);
});

function countFrames(bytes: Uint8Array, demuxer: string): number {
  const args = ['-v', 'quiet', '-f', demuxer, '-i', 'pipe:0', '-f', 'framecrc', 'pipe:1'];
  const { stdout } = spawnSync(FFMPEG!, args, { input: bytes });
  return stdout
    .toString()
    .split('\n')
    .filter((line) => /^0,/.test(line)).length;
}
