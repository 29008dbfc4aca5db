// Media made by ffmpeg: two seconds of a test picture and a tone as files, HLS and DASH, on the small web.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTools } from '../../src/media/tools/find-tools.ts';
import { type Exchange, type Handler, type Site, send } from './web/reply.ts';

export const TOOLS = findTools({ ffmpeg: 'auto', ytDlp: 'auto', searchPath: process.env.PATH ?? '' });

/** For `test(name, NEEDS_FFMPEG, ...)`. */
export const NEEDS_FFMPEG = { skip: TOOLS.problem ?? false };
export const NEEDS_YT_DLP = {
  skip: NEEDS_FFMPEG.skip || (TOOLS.ytDlp ? false : 'There is no yt-dlp on this machine.'),
};

/** 16 bytes. */
const KEY = 'the key of films';
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=160x120:rate=10'];
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p'];
const AAC = ['-c:a', 'aac', '-b:a', '64k'];

const HLS = ['-c', 'copy', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'];
const FRAGMENTS = ['-hls_segment_type', 'fmp4'];
const DASH = ['-map', '0:v', '-map', '0:a', '-c', 'copy', '-f', 'dash', '-seg_duration', '1'];
const VP8 = ['-c:v', 'libvpx', '-b:v', '100k', '-cpu-used', '8', '-c:a', 'libvorbis'];

/** ffmpeg arguments for each file or folder of files; several lists run one after the other. */
const RECIPES: Record<string, string[][]> = {
  'film.mp4': [[...PICTURE, ...TONE, ...H264, ...AAC, '-shortest', 'film.mp4']],
  'silent.mp4': [['-i', 'film.mp4', '-an', '-c', 'copy', 'silent.mp4']],
  'film.webm': [[...PICTURE, ...TONE, ...VP8, '-shortest', 'film.webm']],
  'tone.mp3': [[...TONE, '-c:a', 'libmp3lame', '-b:a', '64k', 'tone.mp3']],
  'tone.flac': [[...TONE, '-c:a', 'flac', 'tone.flac']],
  ts: [['-i', 'film.mp4', ...HLS, 'ts/index.m3u8']],
  fragments: [['-i', 'film.mp4', ...HLS, ...FRAGMENTS, 'fragments/index.m3u8']],
  ranges: [['-i', 'film.mp4', ...HLS, '-hls_flags', 'single_file', 'ranges/index.m3u8']],
  secret: [['-i', 'film.mp4', ...HLS, '-hls_key_info_file', 'key-file', 'secret/index.m3u8']],
  apart: [
    ['-i', 'film.mp4', '-an', ...HLS, 'apart/picture.m3u8'],
    ['-i', 'film.mp4', '-vn', ...HLS, ...FRAGMENTS, '-hls_fmp4_init_filename', 'sound.mp4', 'apart/sound.m3u8'],
  ],
  dash: [['-i', 'film.mp4', ...DASH, '-use_timeline', '1', 'dash/timeline.mpd']],
  list: [['-i', 'film.mp4', ...DASH, '-use_template', '0', '-single_file', '1', 'list/list.mpd']],
};

export interface MediaFolder {
  /** Made on first use. */
  bytes(name: string): Buffer;
  remove(): void;
}

export function makeMedia(): MediaFolder {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-media-'));
  const made = new Set<string>();
  writeFileSync(join(folder, 'key'), KEY);
  writeFileSync(join(folder, 'key-file'), `/key\n${join(folder, 'key')}\n`);
  const make = (name: string) => {
    const recipe = RECIPES[name];
    if (!recipe || made.has(name)) return;
    made.add(name);
    if (!name.includes('.')) mkdirSync(join(folder, name));
    for (const args of recipe) {
      if (args.includes('film.mp4')) make('film.mp4');
      execFileSync(TOOLS.tools!.ffmpeg, ['-nostdin', '-loglevel', 'error', '-y', ...args], { cwd: folder });
    }
  };
  return {
    bytes(name) {
      make(name.split('/', 1)[0]!);
      return readFileSync(join(folder, name));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=80x60,CODECS="avc1.42c00a,mp4a.40.2"
missing/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=160x120,CODECS="avc1.42c00a,mp4a.40.2"
ts/index.m3u8
`;

export const APART = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",DEFAULT=YES,URI="apart/sound.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=160x120,AUDIO="sound"
apart/picture.m3u8
`;

/** Serves the folder, with ranges. `more` adds paths. */
export function mediaSite(media: MediaFolder, more: Site = {}): Site {
  return {
    '/master.m3u8': (exchange) => send(exchange, MASTER, { type: 'application/vnd.apple.mpegurl' }),
    '/apart.m3u8': (exchange) => send(exchange, APART, { type: 'application/vnd.apple.mpegurl' }),
    '/*': (exchange) => sendMedia(exchange, media.bytes(decodeURIComponent(exchange.path.split('?')[0]!.slice(1)))),
    ...more,
  };
}

function sendMedia(exchange: Exchange, bytes: Buffer): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(exchange.headers.range ?? '') ?? [];
  const type = 'application/octet-stream';
  if (from === undefined) {
    send(exchange, bytes, { type });
    return;
  }
  const part = bytes.subarray(Number(from), to ? Number(to) + 1 : undefined);
  const headers = { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}` };
  send(exchange, part, { status: 206, type, headers });
}

/** A valid beginning, then endless bytes. */
export const endless =
  (head: Uint8Array): Handler =>
  ({ response, signal }) => {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    response.write(head);
    const more = () => {
      while (!signal.aborted && response.write(Buffer.alloc(65_536)));
      if (!signal.aborted) response.once('drain', more);
    };
    more();
  };

export interface Probe {
  format: string;
  duration: number;
  streams: string[];
}

/** Output of ffprobe for a file. */
export function probe(file: string): Probe {
  const args = ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', file];
  const { format, streams } = JSON.parse(execFileSync(TOOLS.tools!.ffprobe, args).toString());
  return {
    format: format.format_name,
    duration: Number(format.duration),
    streams: streams.map(({ codec_name, width, height }: { codec_name: string; width?: number; height?: number }) =>
      width ? `${codec_name} ${width}x${height}` : codec_name,
    ),
  };
}
