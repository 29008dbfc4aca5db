// The media programs of this machine, for tests that need them.
import { spawnSync } from 'node:child_process';
import { findProgram } from '../../src/runtime/programs/find-program.ts';

const find = (name: string) => findProgram([name], process.env.PATH ?? '');

export const FFMPEG = find('ffmpeg');
export const YT_DLP = find('yt-dlp');

/** For `test(name, NEEDS_FFMPEG, ...)`. */
export const NEEDS_FFMPEG = { skip: FFMPEG === undefined && 'ffmpeg is not installed on this machine' };
export const NEEDS_YT_DLP = { skip: YT_DLP === undefined && 'yt-dlp is not installed on this machine' };

/** A picture as ffmpeg writes it with these arguments. */
export const convertPicture = (bytes: Uint8Array, args: string[]): Uint8Array =>
  spawnSync(FFMPEG!, ['-v', 'error', '-i', 'pipe:0', ...args, 'pipe:1'], { input: bytes, maxBuffer: 1e8 }).stdout;
