// The indirect entrances of media: players and meta tags of a page, playlists, manifests, keys, and redirects of each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { createPageUrls } from '../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../src/markup/html/parse-html.ts';
import { createMedia } from '../../src/media/create-media.ts';
import { createWorkFolders } from '../../src/media/work-folders.ts';
import { CallerHeaders } from '../../src/net/http/caller-headers.ts';
import type { MediaCandidate } from '../../src/page/media.ts';
import { OWN_WORK } from '../../src/runtime/gate/gate.ts';
import { mediaCandidates } from '../../src/transform/formats/media-candidates.ts';
import { pageMetadata } from '../../src/transform/formats/page-metadata.ts';
import { systemClock } from '../../src/util/clock.ts';
import { escapeHtml } from '../support/web/reply.ts';
import { CANARY_TEXT, SITE_TEXT, type Stage } from './stage.ts';

/** Tries to reach `target`. Returns the text that was read; throws the error that the caller would get. */
export type MediaAttempt = (stage: Stage, target: string) => Promise<string>;

/** How a page, a playlist or a manifest refers to a target. */
export const MEDIA_ATTEMPTS: Record<string, MediaAttempt> = {
  'a <video src>': inPage((target) => `<video src="${target}"></video>`),
  'an og:video': inPage((target) => `<meta property="og:video" content="${target}">`),
  'a redirect of a media file': (stage, target) =>
    gather(stage, fileAt(stage.serve({ status: 302, location: target }))),
  'a segment of an HLS playlist': inFile((target) => `#EXTM3U\n#EXTINF:1,\n${target}\n`),
  'a stream of an HLS playlist': inFile((target) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${target}\n`),
  'a key of an HLS playlist': inFile((target) => `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${target}"\nsegment.ts\n`),
  'the base of a DASH manifest': inFile((target) => manifest(`<BaseURL>${escapeHtml(target)}</BaseURL>`)),
};

const manifest = (segments: string) =>
  `<MPD mediaPresentationDuration="PT1S"><Period><AdaptationSet contentType="video"><Representation id="1">${segments}</Representation></AdaptationSet></Period></MPD>`;

const fileAt = (url: string): MediaCandidate[] => [{ url, source: 'file' }];

function inFile(write: (target: string) => string): MediaAttempt {
  return (stage, target) => gather(stage, fileAt(stage.serve({ status: 200, html: write(target) })));
}

function inPage(write: (target: string) => string): MediaAttempt {
  return (stage, target) => {
    const tree = parseHtml(write(escapeHtml(target)));
    const urls = createPageUrls(tree, `http://site.test:${stage.port}/page`);
    return gather(stage, mediaCandidates(tree, urls, pageMetadata(tree, urls)));
  };
}

/** The files of the stage are not media: an error that says so means that one was read. */
async function gather(stage: Stage, candidates: MediaCandidate[]): Promise<string> {
  if (candidates.length === 0) throw new ServiceError('BAD_REQUEST', { message: 'There is no such candidate.' });
  const folder = mkdtempSync(join(tmpdir(), 'trawl-corpus-'));
  const before = stage.caught.length;
  const media = createMedia({
    // Never used here.
    tools: { tools: { ffmpeg: 'none', ffprobe: 'none' }, interpreters: {} },
    egress: stage.egress,
    folders: createWorkFolders(folder),
    maxBytes: 1_000_000,
    clock: systemClock,
  });
  const pageUrl = `http://site.test:${stage.port}/page`;
  const access = {
    pageUrl,
    headers: {},
    callerHeaders: CallerHeaders.none(),
    proxyClass: 'basic',
    verifyTls: false,
  } as const;
  const format = candidates[0]!.kind ?? 'video';
  try {
    return await media.gather(
      { asker: OWN_WORK, formats: [format], candidates, access },
      async () => 'media',
      AbortSignal.timeout(60_000),
    );
  } catch (error) {
    const hasRead =
      error instanceof ServiceError && /not audio or video|not provide the key|is not a playlist/.test(error.message);
    if (!hasRead) throw error;
    return stage.caught.length > before ? CANARY_TEXT : SITE_TEXT;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
