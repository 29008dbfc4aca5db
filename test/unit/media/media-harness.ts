// A small web site with media on it, and the media service around it.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { createMedia } from '../../../src/media/create-media.ts';
import type { Media } from '../../../src/media/media.ts';
import type { FoundTools } from '../../../src/media/tools/find-tools.ts';
import { createWorkFolders } from '../../../src/media/work-folders.ts';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { parseDnsServers } from '../../../src/net/addresses/resolver.ts';
import { createEgress, type Egress } from '../../../src/net/egress.ts';
import type { MediaCandidate, MediaFormat } from '../../../src/page/media.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';
import { systemClock } from '../../../src/util/clock.ts';
import { callerHeaders } from '../../support/caller-headers.ts';
import { type MediaFolder, makeMedia, mediaSite, type Probe, probe, TOOLS } from '../../support/media.ts';
import type { Site } from '../../support/web/reply.ts';
import { startWeb, type Web } from '../../support/web.ts';

export const HOST = 'media.test';
/** The streams of the film that all sources show. */
export const FILM = ['h264 160x120', 'aac'];

export interface Gathered {
  audio?: Probe & { name: string };
  video?: Probe & { name: string };
  videos: object[];
}

export interface MediaHarness {
  web: Web;
  media: MediaFolder;
  egress: Egress;
  url(path: string): string;
  /** Downloads the candidate at this path, or these candidates. */
  gather(offered: string | Partial<MediaCandidate>[], formats: MediaFormat[], options?: Options): Promise<Gathered>;
  /** The code and message of the refusal. */
  refusal(
    offered: string | Partial<MediaCandidate>[],
    formats: MediaFormat[],
    options?: Options,
  ): Promise<[string, string]>;
  /** Files left in the data folder. */
  leftovers(): string[];
}

interface Options {
  maxBytes?: number;
  signal?: AbortSignal;
  tools?: Partial<FoundTools>;
  pagePath?: string;
  headers?: Record<string, string>;
  /** The URL that the caller wrote, if it is not the page's own. */
  home?: string;
}

/** `more` adds paths and sites. yt-dlp is off unless a test sets it. */
export function useMedia(
  more: (media: MediaFolder) => { paths?: Site; sites?: Record<string, Site> } = () => ({}),
): MediaHarness {
  const harness = {} as MediaHarness;
  let dataDir: string;

  const open = ({ maxBytes = 10_000_000, tools = {} }: Options): Media =>
    createMedia({
      tools: { ...TOOLS, ytDlp: undefined, ...tools },
      egress: harness.egress,
      folders: createWorkFolders(dataDir),
      maxBytes,
      clock: systemClock,
    });

  const inspect = (file: { path: string; name: string } | undefined) => {
    if (!file) return undefined;
    const copy = join(dataDir, `copy-${file.name}`);
    copyFileSync(file.path, copy);
    const found = { name: file.name, ...probe(copy) };
    rmSync(copy);
    return found;
  };

  harness.url = (path) => harness.web.url(HOST, path);
  harness.gather = (offered, formats, options = {}) => {
    const list = typeof offered === 'string' ? [{ url: harness.url(offered) }] : offered;
    const candidates = list.map((each) => ({ source: 'element', ...each }) as MediaCandidate);
    const pageUrl = harness.url(options.pagePath ?? '/page');
    const access = {
      pageUrl,
      headers: { 'user-agent': 'a player' },
      callerHeaders: callerHeaders(options.home ?? pageUrl, options.headers ?? {}),
      proxyClass: 'basic',
      verifyTls: true,
    } as const;
    return open(options).gather(
      { asker: OWN_WORK, formats, candidates, access },
      async ({ audio, video, videos }) => ({ audio: inspect(audio), video: inspect(video), videos }),
      options.signal ?? AbortSignal.timeout(60_000),
    );
  };
  harness.refusal = async (...args) => {
    const error = await harness.gather(...args).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ServiceError)) throw error ?? new Error('The request was not refused.');
    return [error.code, error.message];
  };
  harness.leftovers = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'media');

  before(async () => {
    if (TOOLS.problem) return;
    dataDir = mkdtempSync(join(tmpdir(), 'trawl-data-'));
    harness.media = makeMedia();
    const { paths, sites } = more(harness.media);
    harness.web = await startWeb({ [HOST]: mediaSite(harness.media, paths), ...sites });
    harness.egress = createEgress({
      allow: parseAllowList(harness.web.settings.TRAWL_ALLOW_NETWORKS!),
      dnsServers: parseDnsServers(harness.web.settings.TRAWL_DNS!),
      proxies: { basic: [], enhanced: [] },
      // Far below the size of a video: this limit does not apply to media.
      maxPageBytes: 1_000,
      ownAddress: () => undefined,
    });
  });
  after(async () => {
    harness.media?.remove();
    await harness.egress?.close();
    await harness.web?.stop();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  });
  return harness;
}

/** The playlist at this path gives the whole film in its best quality, and its sound. */
export async function checkPlaylist(harness: MediaHarness, path: string): Promise<void> {
  const { video, audio, videos } = await harness.gather(path, ['video', 'audio']);
  assert.deepEqual([video?.name, video?.streams], ['video.mp4', FILM]);
  assert.ok(Math.abs(video!.duration - 2) < 0.3, String(video!.duration));
  assert.deepEqual(audio?.streams, ['mp3']);
  assert.deepEqual(videos, [
    {
      url: harness.url(path),
      sourceURL: harness.url('/page'),
      source: 'element',
      kind: path.endsWith('.mpd') ? 'dash' : 'hls',
      duration: (videos[0] as { duration: number }).duration,
      width: 160,
      height: 120,
    },
  ]);
  assert.ok(Math.abs(audio!.duration - 2) < 0.3, String(audio!.duration));
}
