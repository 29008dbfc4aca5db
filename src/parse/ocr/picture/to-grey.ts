// Converts pictures to greyscale on white with ffmpeg, optionally enlarged: tesseract thresholds each colour channel
// separately and picks up grain. ffmpeg can read nothing but the bytes it is given.
import { runProgram } from '../../../runtime/programs/run-program.ts';
import { damagedFile } from '../../parse-errors.ts';
import type { PictureFormat } from './picture-header.ts';
import { MAX_PIXELS } from './picture-limits.ts';

export interface Conversion {
  ffmpeg: string;
  bytes: Uint8Array;
  format: PictureFormat;
  /** Enlargement factor. */
  scale: number;
}

/** Puts the picture on white: premultiplying fades to black, so it is done on the negative. */
const ON_WHITE = 'format=gbrap,negate,premultiply=inplace=1,negate';
const MAY_BE_TRANSPARENT: ReadonlySet<PictureFormat> = new Set(['png', 'gif', 'webp', 'avif']);

/** Set explicitly, so that a disguised playlist is not opened as one. */
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

const OUTPUT = ['-c:v', 'pgm', '-f', 'image2pipe', 'pipe:1'];
const PGM_HEADER_BYTES = 64;

/** Returns a PGM, which every tesseract decodes. Throws DOCUMENT_DAMAGED. */
export async function toGrey(conversion: Conversion, signal: AbortSignal): Promise<Uint8Array> {
  const { ffmpeg, bytes, format, scale } = conversion;
  const filters = [
    ...(MAY_BE_TRANSPARENT.has(format) ? [ON_WHITE] : []),
    'format=gray',
    ...(scale === 1 ? [] : [`scale=${scale}*iw:${scale}*ih:flags=lanczos`]),
  ];
  const input = ['-threads', '1', '-protocol_whitelist', 'pipe', '-max_pixels', String(MAX_PIXELS)];
  const output = ['-map', '0:v:0', '-frames:v', '1', '-filter_threads', '1', '-vf', filters.join(',')];
  const { code, stdout, stderr } = await runProgram(
    {
      program: ffmpeg,
      args: ['-v', 'error', ...input, '-f', DEMUXERS[format], '-i', 'pipe:0', ...output, ...OUTPUT],
      env: {},
      input: bytes,
      maxOutputBytes: MAX_PIXELS + PGM_HEADER_BYTES,
    },
    signal,
  );
  if (code !== 0 || stdout.length === 0) throw damagedFile('The picture cannot be decoded.', stderr);
  return stdout;
}
