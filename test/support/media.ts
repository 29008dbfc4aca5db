// Media that ffmpeg makes for the tests: two seconds of a test picture and a tone, as files, HLS and DASH, on the small web.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTools } from '../../src/media/find-tools.ts';
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

export interface MediaFolder {
  path(name: string): string;
  bytes(name: string): Buffer;
  remove(): void;
}

export function makeMedia(): MediaFolder {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-media-'));
  const run = (...args: string[]) =>
    execFileSync(TOOLS.tools!.ffmpeg, ['-nostdin', '-loglevel', 'error', '-y', ...args], { cwd: folder });
  run(...PICTURE, ...TONE, ...H264, ...AAC, '-shortest', 'film.mp4');
  run('-i', 'film.mp4', '-an', '-c', 'copy', 'silent.mp4');
  run('-i', 'film.mp4', '-vf', 'scale=80:60', ...H264, '-c:a', 'copy', 'small.mp4');
  run(
    ...PICTURE,
    ...TONE,
    '-c:v',
    'libvpx',
    '-b:v',
    '100k',
    '-cpu-used',
    '8',
    '-c:a',
    'libvorbis',
    '-shortest',
    'film.webm',
  );
  run(...TONE, '-c:a', 'libmp3lame', '-b:a', '64k', 'tone.mp3');
  run(...TONE, '-c:a', 'flac', 'tone.flac');
  for (const name of ['ts', 'small', 'fragments', 'secret', 'apart', 'ranges', 'dash', 'list'])
    mkdirSync(join(folder, name));
  const hls = ['-c', 'copy', '-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'];
  run('-i', 'film.mp4', ...hls, 'ts/index.m3u8');
  run('-i', 'small.mp4', ...hls, 'small/index.m3u8');
  run('-i', 'film.mp4', ...hls, '-hls_segment_type', 'fmp4', 'fragments/index.m3u8');
  run('-i', 'film.mp4', ...hls, '-hls_flags', 'single_file', 'ranges/index.m3u8');
  writeFileSync(join(folder, 'secret/key'), KEY);
  writeFileSync(join(folder, 'keyinfo'), `key\n${join(folder, 'secret/key')}\n`);
  run('-i', 'film.mp4', ...hls, '-hls_key_info_file', 'keyinfo', 'secret/index.m3u8');
  run('-i', 'film.mp4', '-an', ...hls, 'apart/picture.m3u8');
  run(
    '-i',
    'film.mp4',
    '-vn',
    ...hls,
    '-hls_segment_type',
    'fmp4',
    '-hls_fmp4_init_filename',
    'sound.mp4',
    'apart/sound.m3u8',
  );
  const dash = ['-map', '0:v', '-map', '0:a', '-c', 'copy', '-f', 'dash', '-seg_duration', '1'];
  run('-i', 'film.mp4', ...dash, '-use_timeline', '1', 'dash/timeline.mpd');
  run('-i', 'film.mp4', ...dash, '-use_template', '0', '-single_file', '1', 'list/list.mpd');
  return {
    path: (name) => join(folder, name),
    bytes: (name) => readFileSync(join(folder, name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=80x60,CODECS="avc1.42c00a,mp4a.40.2"
small/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=160x120,CODECS="avc1.42c00a,mp4a.40.2"
ts/index.m3u8
`;

export const APART = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",DEFAULT=YES,URI="apart/sound.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=160x120,AUDIO="sound"
apart/picture.m3u8
`;

/** Serves the folder, with ranges; `more` are paths of its own. */
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

/** Bytes for ever, after a beginning. */
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

/** What ffprobe says of a file. */
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
