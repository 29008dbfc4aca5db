// Where media are gathered: the small web with films on it, and the stage as the service has it.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors.ts';
import type { MediaCandidate, MediaFormat } from '../../../src/contracts/media.ts';
import { createMedia } from '../../../src/media/create-media.ts';
import type { Media } from '../../../src/media/media.ts';
import type { FoundTools } from '../../../src/media/tools/find-tools.ts';
import { createWorkFolders } from '../../../src/media/work-folders.ts';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { parseDnsServers } from '../../../src/net/addresses/resolver.ts';
import { createEgress, type Egress } from '../../../src/net/egress.ts';
import { type MediaFolder, makeMedia, mediaSite, type Probe, probe, TOOLS } from '../../support/media.ts';
import type { Site } from '../../support/web/reply.ts';
import { startWeb, type Web } from '../../support/web.ts';

export const HOST = 'media.test';

export interface Gathered {
  audio?: Probe & { name: string };
  video?: Probe & { name: string };
  videos: object[];
}

export interface MediaScene {
  web: Web;
  media: MediaFolder;
  egress: Egress;
  url(path: string): string;
  /** What comes of candidates at these paths, or of these candidates. */
  gather(offered: string | Partial<MediaCandidate>[], formats: MediaFormat[], options?: Options): Promise<Gathered>;
  /** The code and the text of the refusal. */
  refusal(
    offered: string | Partial<MediaCandidate>[],
    formats: MediaFormat[],
    options?: Options,
  ): Promise<[string, string]>;
  /** What is left in the data folder. */
  leftovers(): string[];
}

interface Options {
  maxBytes?: number;
  signal?: AbortSignal;
  tools?: Partial<FoundTools>;
  pagePath?: string;
  headers?: Record<string, string>;
}

/** `more` are sites beside the one with the films. Without yt-dlp, unless a test wants it. */
export function useMedia(
  more: (media: MediaFolder) => { paths?: Site; sites?: Record<string, Site> } = () => ({}),
): MediaScene {
  const scene = {} as MediaScene;
  let dataDir: string;

  const open = ({ maxBytes = 10_000_000, tools = {} }: Options): Media =>
    createMedia({
      tools: { ...TOOLS, ytDlp: undefined, ...tools },
      egress: scene.egress,
      folders: createWorkFolders(dataDir),
      maxBytes,
      clock: { now: Date.now },
    });

  const look = (file: { path: string; name: string } | undefined) => {
    if (!file) return undefined;
    const copy = join(dataDir, `copy-${file.name}`);
    copyFileSync(file.path, copy);
    const found = { name: file.name, ...probe(copy) };
    rmSync(copy);
    return found;
  };

  scene.url = (path) => scene.web.url(HOST, path);
  scene.gather = (offered, formats, options = {}) => {
    const list = typeof offered === 'string' ? [{ url: scene.url(offered) }] : offered;
    const candidates = list.map((each) => ({ source: 'element', ...each }) as MediaCandidate);
    const pageUrl = scene.url(options.pagePath ?? '/page');
    const access = {
      pageUrl,
      headers: { 'user-agent': 'a player' },
      ownHeaders: options.headers ?? {},
      proxyClass: 'basic',
      verifyTls: true,
    } as const;
    return open(options).gather(
      { formats, candidates, access },
      async ({ audio, video, videos }) => ({ audio: look(audio), video: look(video), videos }),
      options.signal ?? AbortSignal.timeout(60_000),
    );
  };
  scene.refusal = async (...args) => {
    const error = await scene.gather(...args).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ServiceError)) throw error ?? new Error('It was not refused.');
    return [error.code, error.message];
  };
  scene.leftovers = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'media');

  before(async () => {
    if (TOOLS.problem) return;
    dataDir = mkdtempSync(join(tmpdir(), 'trawl-data-'));
    scene.media = makeMedia();
    const { paths, sites } = more(scene.media);
    scene.web = await startWeb({ [HOST]: mediaSite(scene.media, paths), ...sites });
    scene.egress = createEgress({
      allow: parseAllowList(scene.web.settings.TRAWL_ALLOW_NETWORKS!),
      dnsServers: parseDnsServers(scene.web.settings.TRAWL_DNS!),
      proxies: { basic: [], enhanced: [] },
      // Far below the size of a film: it is no limit for media.
      maxPageBytes: 1_000,
      ownAddress: () => undefined,
    });
  });
  after(async () => {
    scene.media?.remove();
    await scene.egress?.close();
    await scene.web?.stop();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  });
  return scene;
}
