// Turns fetched media into the final file: the unchanged video in a container that players open, or its audio as MP3.
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Container } from '../../markup/media-container.ts';
import type { MediaFormat } from '../../page/media.ts';
import type { MediaInput } from '../download/tracks.ts';
import { unusable } from '../refusals.ts';
import type { Ffmpeg, Output, ProbedInput } from './ffmpeg.ts';

/** A file in the work folder, with the name it is offered under. */
export interface MediaFile {
  path: string;
  name: string;
  type: string;
}

/** Codecs that players support in MP4 files. */
const MP4_CODECS = new Set([
  'h264',
  'hevc',
  'av1',
  'vp9',
  'mpeg4',
  'aac',
  'mp3',
  'ac3',
  'eac3',
  'alac',
  'opus',
  'flac',
]);

/** Containers that are kept as they are. */
const KEPT: Partial<Record<Container, { ending: string; type: string }>> = {
  webm: { ending: 'webm', type: 'video/webm' },
  matroska: { ending: 'mkv', type: 'video/x-matroska' },
  mov: { ending: 'mov', type: 'video/quicktime' },
  ogg: { ending: 'ogv', type: 'video/ogg' },
  avi: { ending: 'avi', type: 'video/x-msvideo' },
  flv: { ending: 'flv', type: 'video/x-flv' },
  mpegts: { ending: 'ts', type: 'video/mp2t' },
  mpeg: { ending: 'mpg', type: 'video/mpeg' },
};

const MP3 = { name: 'audio.mp3', type: 'audio/mpeg' };
/** VBR of about 190 kbit/s, which is transparent. */
const MP3_QUALITY = '2';

export async function convert(
  ffmpeg: Ffmpeg,
  inputs: readonly ProbedInput[],
  format: MediaFormat,
  signal: AbortSignal,
): Promise<MediaFile> {
  return format === 'video' ? makeVideo(ffmpeg, inputs, signal) : makeAudio(ffmpeg, inputs, signal);
}

async function makeVideo(ffmpeg: Ffmpeg, inputs: readonly ProbedInput[], signal: AbortSignal): Promise<MediaFile> {
  const picture = inputs.findIndex(({ streams }) => streams.some(({ kind }) => kind === 'video'));
  if (picture === -1) throw unusable('The media file has audio but no video.');
  const sound = soundOf(inputs);
  const used = inputs.filter((_, index) => index === picture || index === sound);
  const kept = used.length === 1 ? KEPT[used[0]!.container] : undefined;
  const isWebm = used.every(({ container }) => container === 'webm');
  const codecs = used.flatMap(({ streams }) => streams.map(({ codec }) => codec));
  if (kept && (isWebm || !codecs.every((codec) => MP4_CODECS.has(codec)))) {
    return renamed(used[0]!, `video.${kept.ending}`, kept.type);
  }
  const maps = ['-map', `${picture}:v:0`, ...(sound === -1 ? [] : ['-map', `${sound}:a:0`]), '-c', 'copy'];
  const write = async (name: string, type: string, muxer: Output['muxer'], more: string[] = []) => {
    const args = [...maps, ...more];
    return { path: await ffmpeg.write(inputs, { name, args, muxer }, signal), name, type };
  };
  if (isWebm) return write('video.webm', 'video/webm', 'webm');
  if (!codecs.every((codec) => MP4_CODECS.has(codec))) return write('video.mkv', 'video/x-matroska', 'matroska');
  // With the index at the front, it plays while it is still loading.
  return write('video.mp4', 'video/mp4', 'mp4', ['-movflags', '+faststart', '-strict', '-2']);
}

async function makeAudio(ffmpeg: Ffmpeg, inputs: readonly ProbedInput[], signal: AbortSignal): Promise<MediaFile> {
  const sound = soundOf(inputs);
  if (sound === -1) throw unusable('The media file has video but no audio.');
  const input = inputs[sound]!;
  if (input.container === 'mp3') return renamed(input, MP3.name, MP3.type);
  const args = ['-map', '0:a:0', '-c:a', 'libmp3lame', '-q:a', MP3_QUALITY];
  const path = await ffmpeg.write([input], { name: MP3.name, args, muxer: 'mp3' }, signal);
  return { path, ...MP3 };
}

/** The index of the input to take audio from: separate audio is preferred to that of a video. */
function soundOf(inputs: readonly ProbedInput[]): number {
  const has = (kind: string, { streams }: ProbedInput) => streams.some((stream) => stream.kind === kind);
  const alone = inputs.findIndex((input) => has('audio', input) && !has('video', input));
  return alone === -1 ? inputs.findIndex((input) => has('audio', input)) : alone;
}

async function renamed({ path }: MediaInput, name: string, type: string): Promise<MediaFile> {
  const target = join(dirname(path), name);
  await rename(path, target);
  return { path: target, name, type };
}

/** Joins parts whose timestamps restart into a transport stream, which allows that. */
export async function joinParts(
  ffmpeg: Ffmpeg,
  parts: readonly MediaInput[],
  signal: AbortSignal,
): Promise<MediaInput> {
  const [first, ...others] = parts as [MediaInput, ...MediaInput[]];
  if (others.length === 0) return first;
  const whole = `${first.path}-joined`;
  for (const part of parts) {
    const output = { name: 'part.ts', args: ['-map', '0', '-c', 'copy'], muxer: 'mpegts' } as const;
    const path = await ffmpeg.write([part], output, signal);
    await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a', mode: 0o600 }), { signal });
    await Promise.all([rm(path), rm(part.path)]);
  }
  return { path: whole, container: 'mpegts' };
}
