// Pictures that tesseract cannot decode, or that are too small for it, made into PNG by ffmpeg. It reads nothing but the bytes it is given.
import { damaged } from '../refusals.ts';
import { MAX_PIXELS } from './limits.ts';
import type { PictureFormat } from './picture-header.ts';
import { runProgram } from './program.ts';

export interface Conversion {
  ffmpeg: string;
  bytes: Uint8Array;
  format: PictureFormat;
  /** How many times larger it is to be. */
  scale: number;
}

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

export async function toPng(conversion: Conversion, signal: AbortSignal): Promise<Uint8Array> {
  const { ffmpeg, bytes, format, scale } = conversion;
  const input = ['-threads', '1', '-protocol_whitelist', 'pipe', '-max_pixels', String(MAX_PIXELS)];
  const size = scale === 1 ? [] : ['-vf', `scale=${scale}*iw:${scale}*ih:flags=lanczos`];
  const output = ['-map', '0:v:0', '-frames:v', '1', ...size, '-pix_fmt', 'gray', '-threads', '1', '-c:v', 'png'];
  const { code, stdout, stderr } = await runProgram(
    {
      program: ffmpeg,
      args: ['-v', 'error', ...input, '-f', DEMUXERS[format], '-i', 'pipe:0', ...output, '-f', 'image2pipe', 'pipe:1'],
      input: bytes,
      // A grey pixel is a byte, and noise cannot be packed.
      maxOutputBytes: 2 * MAX_PIXELS,
    },
    signal,
  );
  if (code !== 0 || stdout.length === 0) throw damaged('the picture cannot be decoded.', stderr);
  return stdout;
}
