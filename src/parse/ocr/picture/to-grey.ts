// Pictures in shades of grey on white, and larger where they are small, made by ffmpeg: tesseract looks for ink in each colour by
// itself, and finds grain. It reads nothing but the bytes it is given.
import { runProgram } from '../../../util/run-program.ts';
import { damagedFile } from '../../parse-errors.ts';
import type { PictureFormat } from './picture-header.ts';
import { MAX_PIXELS } from './picture-limits.ts';

export interface Conversion {
  ffmpeg: string;
  bytes: Uint8Array;
  format: PictureFormat;
  /** How many times larger it is to be. */
  scale: number;
}

/** What is transparent counts as white: faded by its negative, since fading goes to black. */
const ON_WHITE = 'format=gbrap,negate,premultiply=inplace=1,negate';
const SEE_THROUGH: ReadonlySet<PictureFormat> = new Set(['png', 'gif', 'webp', 'avif']);

/** Named, so that a file that is really a playlist is not taken for one. */
const DEMUXERS: Record<PictureFormat, string> = {
  png: 'png_pipe',
  jpeg: 'jpeg_pipe',
  gif: 'gif',
  webp: 'webp_pipe',
  tiff: 'tiff_pipe',
  bmp: 'bmp_pipe',
  jp2: 'j2k_pipe',
  avif: 'mov',
  heic: 'mov',
};

const WRITTEN = ['-c:v', 'pgm', '-f', 'image2pipe', 'pipe:1'];
const HEAD_BYTES = 64;

/** A picture (PGM) that every tesseract decodes. Throws DOCUMENT_DAMAGED. */
export async function toGrey(conversion: Conversion, signal: AbortSignal): Promise<Uint8Array> {
  const { ffmpeg, bytes, format, scale } = conversion;
  const filters = [
    ...(SEE_THROUGH.has(format) ? [ON_WHITE] : []),
    'format=gray',
    ...(scale === 1 ? [] : [`scale=${scale}*iw:${scale}*ih:flags=lanczos`]),
  ];
  const input = ['-threads', '1', '-protocol_whitelist', 'pipe', '-max_pixels', String(MAX_PIXELS)];
  const output = ['-map', '0:v:0', '-frames:v', '1', '-filter_threads', '1', '-vf', filters.join(',')];
  const { code, stdout, stderr } = await runProgram(
    {
      program: ffmpeg,
      args: ['-v', 'error', ...input, '-f', DEMUXERS[format], '-i', 'pipe:0', ...output, ...WRITTEN],
      env: {},
      input: bytes,
      maxOutputBytes: MAX_PIXELS + HEAD_BYTES,
    },
    signal,
  );
  if (code !== 0 || stdout.length === 0) throw damagedFile('the picture cannot be decoded.', stderr);
  return stdout;
}
