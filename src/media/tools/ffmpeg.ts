// Runs ffmpeg and ffprobe on files in a work folder. They have no other input: the demuxer is forced, only files can be
// opened, and references inside them are not followed.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Container } from '../../markup/media-container.ts';
import type { ProgramOutcome } from '../../runtime/programs/run-program.ts';
import type { MediaInput } from '../download/tracks.ts';
import { tooLarge, unusable } from '../refusals.ts';
import type { MediaTools } from './find-tools.ts';
import type { RunTool } from './run-tool.ts';

export interface Stream {
  kind: 'video' | 'audio';
  codec: string;
  width?: number;
  height?: number;
}

export interface ProbedInput extends MediaInput {
  streams: Stream[];
  /** Seconds. */
  duration?: number;
}

export interface Ffmpeg {
  probe(input: MediaInput, signal: AbortSignal): Promise<ProbedInput>;
  /** Writes the inputs to one file in the work folder. Throws SCRAPE_MEDIA_TOO_LARGE if it exceeds the limit. */
  write(inputs: readonly MediaInput[], output: Output, signal: AbortSignal): Promise<string>;
}

export interface Output {
  name: string;
  /** Arguments that select and encode the streams. */
  args: readonly string[];
  muxer: 'mp4' | 'webm' | 'matroska' | 'mpegts' | 'mp3';
}

interface FfmpegDeps {
  tools: MediaTools;
  run: RunTool;
  folder: string;
  maxBytes: number;
}

/** ffmpeg's names, where they differ. */
const DEMUXERS: Partial<Record<Container, string>> = { webm: 'matroska' };
const QUIET = ['-hide_banner', '-loglevel', 'error'];
/** Room for tables and headers in addition to the streams. */
const SPARE_BYTES = 1024 * 1024;

export function createFfmpeg({ tools, run, folder, maxBytes }: FfmpegDeps): Ffmpeg {
  const maxFileBytes = maxBytes + SPARE_BYTES;
  return {
    async probe(input, signal) {
      const args = [...QUIET, '-print_format', 'json', '-show_streams', '-show_format', ...inputArguments(input)];
      const outcome = await run({ program: tools.ffprobe, args, folder, maxFileBytes: 0 }, signal);
      if (outcome.code !== 0) throw damaged(outcome);
      return { ...input, ...readProbe(outcome.stdout.toString()) };
    },
    async write(inputs, { name, args, muxer }, signal) {
      const all = [
        ...QUIET,
        '-nostdin',
        '-y',
        ...inputs.flatMap(inputArguments),
        ...args,
        ...['-sn', '-dn', '-map_chapters', '-1', '-map_metadata', '-1'],
        ...['-fs', String(maxBytes), '-f', muxer, `file:${name}`],
      ];
      const path = join(folder, name);
      const outcome = await run({ program: tools.ffmpeg, args: all, folder, maxFileBytes }, signal);
      const size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      );
      if (size >= maxBytes) throw tooLarge();
      if (outcome.code !== 0 || size === 0) throw damaged(outcome);
      return path;
    },
  };
}

function inputArguments({ path, container }: MediaInput): string[] {
  const demuxer = DEMUXERS[container] ?? container;
  return ['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer, '-i', `file:${basename(path)}`];
}

const damaged = ({ stderr }: ProgramOutcome): ReturnType<typeof unusable> =>
  unusable('The media file is damaged, or its format is not supported.', new Error(stderr.slice(0, 2_000)));

interface ProbeText {
  streams?: {
    codec_type?: string;
    codec_name?: string;
    width?: number;
    height?: number;
    disposition?: { attached_pic?: number };
  }[];
  format?: { duration?: string };
}

function readProbe(text: string): Pick<ProbedInput, 'streams' | 'duration'> {
  const { streams = [], format }: ProbeText = JSON.parse(text);
  const duration = Number(format?.duration);
  return {
    streams: streams.flatMap(({ codec_type: kind, codec_name: codec = 'unknown', width, height, disposition }) => {
      // Cover art is not a video.
      if ((kind !== 'video' && kind !== 'audio') || disposition?.attached_pic === 1) return [];
      return [{ kind, codec, ...(kind === 'video' && { width, height }) }];
    }),
    ...(duration > 0 && { duration }),
  };
}
