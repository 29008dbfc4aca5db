// yt-dlp as one who knows where a site keeps its media. It only tells: what it names is fetched by us. Its own requests go
// through the guarded proxy, and it finds nothing of this machine: no settings, plug-ins, cache or programs.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceError } from '../contracts/errors.ts';
import type { BrowserProxy } from '../net/browser-proxy/browser-proxy.ts';
import { deadline as timeLimit } from '../util/abort.ts';
import type { MediaWay } from './downloads.ts';
import type { FoundTools } from './find-tools.ts';
import { accessDenied, unusable } from './refusals.ts';
import type { RunTool } from './run-tool.ts';

/** One file or playlist that belongs to what was asked for; a list of segments where the site has no playlist for them. */
export interface TipPart {
  url: string;
  segments?: string[];
  headers: Record<string, string>;
  hasVideo: boolean;
  hasAudio: boolean;
  /** The site sends larger pieces slowly. */
  chunkBytes?: number;
}

export interface Tip {
  parts: TipPart[];
  provider?: string;
  title?: string;
  description?: string;
  thumbnail?: string;
  duration?: number;
  width?: number;
  height?: number;
}

interface YtDlpDeps {
  executable: string;
  interpreters: FoundTools['interpreters'];
  run: RunTool;
  openProxy(): Promise<BrowserProxy>;
}

/** Looks a page up. Throws ServiceError when the site is not known, or does not let anybody have it. */
export type AskYtDlp = (url: string, way: MediaWay, folder: string, signal: AbortSignal) => Promise<Tip>;

/** Sites that yt-dlp reads better than their pages tell: there it is asked first. */
const KNOWN_HOSTS =
  /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com|twitter\.com|x\.com|facebook\.com|instagram\.com|soundcloud\.com|bilibili\.com|reddit\.com|bandcamp\.com|ted\.com)$/;

export const isKnownSite = (url: string): boolean => KNOWN_HOSTS.test(URL.parse(url)?.hostname ?? '');

const MAX_MS = 60_000;
/** Of all the pages, scripts and manifests that it looks at. */
const MAX_TRAFFIC = 50 * 1024 * 1024;
const MAX_ANSWER = 30 * 1024 * 1024;
const SECRECY =
  /\b(?:DRM|log ?in|logged|sign in|password|private|members?-only|subscrib|premium|cookies|authenticat|purchase)/i;

export const createYtDlp =
  ({ executable, interpreters, run, openProxy }: YtDlpDeps): AskYtDlp =>
  async (url, way, folder, signal) => {
    const proxy = await openProxy();
    const pass = proxy.issuePass({ proxyClass: way.proxyClass, country: way.country, maxBytes: MAX_TRAFFIC });
    const time = timeLimit(MAX_MS, () => unusable('yt-dlp took too long.'), signal);
    try {
      const door = new URL(proxy.url);
      [door.username, door.password] = [pass.username, pass.password];
      const { code, stdout, stderr } = await run(
        {
          program: executable,
          args: argumentsFor(url, way, door.href),
          folder,
          env: await environment(folder, interpreters),
          maxFileBytes: MAX_ANSWER,
          maxOutputBytes: MAX_ANSWER,
        },
        time.signal,
      );
      // Even if it went on without: what it was refused is what it needed.
      const problem = pass.problem();
      if (code !== 0 && problem) throw problem;
      if (code !== 0) throw refusalOf(stderr);
      return readTip(stdout.toString());
    } finally {
      time.done();
      pass.revoke();
    }
  };

const argumentsFor = (url: string, { headers, verifyTls }: MediaWay, proxy: string): string[] => [
  '--ignore-config',
  '--no-cache-dir',
  '--no-exec',
  '--no-colors',
  '--no-warnings',
  '--no-playlist',
  ...['--playlist-items', '1'],
  ...['--proxy', proxy],
  ...['--geo-verification-proxy', proxy],
  ...['--socket-timeout', '15'],
  ...['--extractor-retries', '1'],
  // Not even to look whether there is one.
  ...['--ffmpeg-location', './none'],
  ...['--format', 'bv*+ba/b'],
  ...(verifyTls ? [] : ['--no-check-certificates']),
  ...(headers['user-agent'] ? ['--user-agent', headers['user-agent']] : []),
  '--dump-single-json',
  '--',
  url,
];

/** Programs are found in a folder of ours alone: others that it knows how to start would go out by themselves. */
async function environment(folder: string, interpreters: Record<string, string>): Promise<Record<string, string>> {
  const programs = join(folder, 'programs');
  await mkdir(programs, { recursive: true });
  for (const [name, path] of Object.entries(interpreters)) await symlink(path, join(programs, name)).catch(() => {});
  return {
    PATH: programs,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    YTDLP_NO_PLUGINS: '1',
  };
}

function refusalOf(stderr: string): ServiceError {
  const said = /ERROR: (.*)/.exec(stderr)?.[1] ?? '';
  if (/Unsupported URL|no video formats|no media/i.test(said)) return unusable('yt-dlp finds nothing there.');
  if (SECRECY.test(said))
    return accessDenied('The site lets nobody fetch this without signing in, or protects it (DRM).');
  return unusable('yt-dlp could not read the page.', new Error(stderr.slice(0, 2_000)));
}

interface Format {
  url?: string;
  protocol?: string;
  vcodec?: string;
  acodec?: string;
  http_headers?: Record<string, string>;
  fragments?: { url?: string; path?: string }[];
  fragment_base_url?: string;
  downloader_options?: { http_chunk_size?: number };
  has_drm?: boolean;
}

interface Info extends Format {
  entries?: (Info | null)[];
  requested_formats?: Format[];
  extractor_key?: string;
  title?: string;
  description?: string;
  thumbnail?: string;
  duration?: number;
  width?: number;
  height?: number;
}

function readTip(text: string): Tip {
  let info: Info | null | undefined;
  try {
    info = JSON.parse(text) as Info;
  } catch (cause) {
    throw unusable('yt-dlp gave an answer that cannot be read.', cause);
  }
  for (let depth = 0; info?.entries && depth < 3; depth++) info = info.entries.find((entry) => entry !== null);
  if (!info) throw unusable('yt-dlp finds nothing there.');
  const formats = info.requested_formats ?? [info];
  if (formats.some(({ has_drm: isProtected }) => isProtected)) {
    throw accessDenied('The media are protected against copying (DRM).');
  }
  const { extractor_key: provider, title, description, thumbnail, duration, width, height } = info;
  const parts = formats.map(readPart);
  return { parts, provider, title, description, thumbnail, duration, width, height };
}

function readPart(format: Format): TipPart {
  const { protocol = '', url = '', fragments, fragment_base_url: base, http_headers: headers = {} } = format;
  if (!/^(?:https?|m3u8|m3u8_native|http_dash_segments)$/.test(protocol) || url === '') {
    throw unusable('The site sends its media in a way that is not understood here.');
  }
  const segments =
    protocol === 'http_dash_segments'
      ? fragments?.map((each) => each.url ?? `${base ?? ''}${each.path ?? ''}`)
      : undefined;
  const chunkBytes = format.downloader_options?.http_chunk_size;
  return {
    url,
    headers: plainHeaders(headers),
    // What is not told may be there.
    hasVideo: format.vcodec !== 'none',
    hasAudio: format.acodec !== 'none',
    ...(segments && { segments }),
    ...(chunkBytes && chunkBytes > 0 && { chunkBytes }),
  };
}

/** Without secrets: a playlist may lead to anybody. */
const plainHeaders = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'cookie' && name !== 'authorization'),
  );
