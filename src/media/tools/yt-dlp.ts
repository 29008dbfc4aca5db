// Asks yt-dlp where a site keeps its media; we fetch the files ourselves. Its own requests go through the guarded proxy,
// and it has no access to settings, plug-ins, caches or programs of this machine.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { BrowserProxy } from '../../net/browser-proxy/browser-proxy.ts';
import { startDeadline as timeLimit } from '../../util/abort.ts';
import type { MediaAccess } from '../download/downloads.ts';
import { accessDenied, unusable } from '../refusals.ts';
import type { FoundTools } from './find-tools.ts';
import type { RunTool } from './run-tool.ts';

/** One file or playlist of the media, or a list of segments if the site has no playlist for them. */
export interface YtDlpPart {
  url: string;
  segments?: string[];
  headers: Record<string, string>;
  hasVideo: boolean;
  hasAudio: boolean;
  /** Request this many bytes at a time, because the site throttles larger requests. */
  chunkBytes?: number;
}

export interface YtDlpResult {
  parts: YtDlpPart[];
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

/** Looks up a page. Throws ServiceError if the site is unknown or denies access. */
export type RunYtDlp = (url: string, access: MediaAccess, folder: string, signal: AbortSignal) => Promise<YtDlpResult>;

/** Sites where yt-dlp finds more than the page reveals, so it is tried first. */
const KNOWN_HOSTS =
  /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com|twitter\.com|x\.com|facebook\.com|instagram\.com|soundcloud\.com|bilibili\.com|reddit\.com|bandcamp\.com|ted\.com)$/;

export const isKnownSite = (url: string): boolean => KNOWN_HOSTS.test(URL.parse(url)?.hostname ?? '');

const MAX_MS = 60_000;
/** Limit for all pages, scripts and manifests it loads. */
const MAX_TRAFFIC = 50 * 1024 * 1024;
const MAX_ANSWER = 30 * 1024 * 1024;
const NEEDS_ACCESS =
  /\b(?:DRM|log ?in|logged|sign in|password|private|members?-only|subscrib|premium|cookies|authenticat|purchase)/i;

export const createYtDlp =
  ({ executable, interpreters, run, openProxy }: YtDlpDeps): RunYtDlp =>
  async (url, access, folder, signal) => {
    const proxy = await openProxy();
    const { proxyClass, country, check } = access;
    const pass = proxy.issuePass({ proxyClass, country, maxBytes: MAX_TRAFFIC });
    const time = timeLimit(MAX_MS, () => unusable('yt-dlp took too long.'), signal);
    try {
      if (check) await pass.restrict(check, time.signal);
      const proxyUrl = new URL(proxy.url);
      [proxyUrl.username, proxyUrl.password] = [pass.username, pass.password];
      const { code, stdout, stderr } = await run(
        {
          program: executable,
          args: argumentsFor(url, access, proxyUrl.href),
          folder,
          env: await environment(folder, interpreters),
          maxFileBytes: MAX_ANSWER,
          maxOutputBytes: MAX_ANSWER,
        },
        time.signal,
      );
      // A blocked request is the likely cause, even if yt-dlp reports something else.
      const problem = pass.problem();
      if (code !== 0 && problem) throw problem;
      if (code !== 0) throw refusalOf(stderr);
      return readResult(stdout.toString());
    } finally {
      time.done();
      pass.revoke();
    }
  };

const argumentsFor = (url: string, { headers, verifyTls }: MediaAccess, proxy: string): string[] => [
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
  // Keeps it from looking for ffmpeg.
  ...['--ffmpeg-location', './none'],
  ...['--format', 'bv*+ba/b'],
  ...(verifyTls ? [] : ['--no-check-certificates']),
  ...(headers['user-agent'] ? ['--user-agent', headers['user-agent']] : []),
  '--dump-single-json',
  '--',
  url,
];

/** PATH holds only programs we chose: others that it can start would bypass the proxy. */
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
  const message = /ERROR: (.*)/.exec(stderr)?.[1] ?? '';
  if (/Unsupported URL|no video formats|no media/i.test(message)) return unusable('yt-dlp found no media.');
  if (NEEDS_ACCESS.test(message)) return accessDenied('The site requires signing in, or protects the media by DRM.');
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

function readResult(text: string): YtDlpResult {
  let info: Info | null | undefined;
  try {
    info = JSON.parse(text) as Info;
  } catch (cause) {
    throw unusable('yt-dlp returned an invalid answer.', cause);
  }
  for (let depth = 0; info?.entries && depth < 3; depth++) info = info.entries.find((entry) => entry !== null);
  if (!info) throw unusable('yt-dlp found no media.');
  const formats = info.requested_formats ?? [info];
  if (formats.some(({ has_drm: isProtected }) => isProtected)) {
    throw accessDenied('The media is protected by DRM.');
  }
  const { extractor_key: provider, title, description, thumbnail, duration, width, height } = info;
  const parts = formats.map(readPart);
  return { parts, provider, title, description, thumbnail, duration, width, height };
}

function readPart(format: Format): YtDlpPart {
  const { protocol = '', url = '', fragments, fragment_base_url: base, http_headers: headers = {} } = format;
  if (!/^(?:https?|m3u8|m3u8_native|http_dash_segments)$/.test(protocol) || url === '') {
    throw unusable('The site uses a streaming protocol that is not supported.');
  }
  const segments =
    protocol === 'http_dash_segments'
      ? fragments?.map((each) => each.url ?? `${base ?? ''}${each.path ?? ''}`)
      : undefined;
  const chunkBytes = format.downloader_options?.http_chunk_size;
  return {
    url,
    headers: plainHeaders(headers),
    // Unknown counts as present.
    hasVideo: format.vcodec !== 'none',
    hasAudio: format.acodec !== 'none',
    ...(segments && { segments }),
    ...(chunkBytes && chunkBytes > 0 && { chunkBytes }),
  };
}

/** Without credentials, since a playlist may point to any host. */
const plainHeaders = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'cookie' && name !== 'authorization'),
  );
