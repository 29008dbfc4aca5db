// The course of getting audio and video: the ways to it in order of promise, each tried until one gives what was asked for.
import { ServiceError } from '../contracts/errors.ts';
import type { MediaCandidate, MediaFormat, VideoFact } from '../contracts/media.ts';
import type { Egress } from '../net/egress.ts';
import type { Clock } from '../util/clock.ts';
import { createGate } from '../util/gate.ts';
import { createAllowance } from './allowance.ts';
import { convert, type MediaFile } from './convert.ts';
import { createDownloads } from './downloads.ts';
import { type FetchMediaDeps, fetchMedia, type MediaAddress } from './fetch-media.ts';
import { createFfmpeg, type Ffmpeg, type ProbedInput } from './ffmpeg.ts';
import type { FoundTools } from './find-tools.ts';
import type { FoundMedia, Media, MediaRequest } from './media.ts';
import { refusal, unusable } from './refusals.ts';
import { createRunTool } from './run-tool.ts';
import type { WorkFolders } from './work-folders.ts';
import { createYtDlp, isKnownSite } from './yt-dlp.ts';

interface MediaDeps {
  tools: FoundTools;
  egress: Egress;
  folders: WorkFolders;
  maxBytes: number;
  clock: Pick<Clock, 'now'>;
}

/** Each may take its share of the disk and of a processor. */
const AT_ONCE = 4;
const WAITING = 100;
/** A page may name media without end. */
const MAX_TRIES = 4;
const MAX_FACTS = 20;

export function createMedia(deps: MediaDeps): Media {
  const gate = createGate(AT_ONCE, WAITING);
  const { tools, problem } = deps.tools;
  return {
    unavailable: () => problem,
    async gather(request, use, signal) {
      if (!tools) throw new ServiceError('NO_MEDIA_TOOLS', { message: problem });
      const leave = await gate.enter(signal);
      if (!leave) throw new ServiceError('QUEUE_FULL');
      try {
        return await deps.folders.use(async (folder) => use(await createSearch(deps, request, folder, signal).find()));
      } finally {
        leave();
      }
    },
  };
}

/** What one way leads to. */
interface Gathered {
  inputs: ProbedInput[];
  fact: VideoFact;
}

/** One place where it may be; `format` is what is to come of it. */
type Place = (format: MediaFormat) => Promise<Gathered>;

/** The search for the media of one page. */
function createSearch(
  deps: MediaDeps,
  { formats, candidates, way }: MediaRequest,
  folder: string,
  signal: AbortSignal,
) {
  const run = createRunTool(deps.tools);
  const ffmpeg = createFfmpeg({ tools: deps.tools.tools!, run, folder, maxBytes: deps.maxBytes });
  let count = 0;

  const fetchAll = async (
    addresses: readonly (MediaAddress & { headers?: Record<string, string> })[],
    format: MediaFormat,
    onKind?: FetchMediaDeps['onKind'],
  ): Promise<ProbedInput[]> => {
    const allowance = createAllowance(deps.maxBytes);
    const inputs: ProbedInput[] = [];
    for (const { headers, ...address } of addresses) {
      const downloads = createDownloads(deps.egress, { ...way, headers: { ...way.headers, ...headers } }, allowance);
      const fetching = { downloads, ffmpeg, now: deps.clock.now, folder, onKind };
      const files = await fetchMedia(fetching, address, format, `input-${count++}`, signal);
      for (const file of files) inputs.push(await ffmpeg.probe(file, signal));
    }
    requireStreams(inputs, format);
    return inputs;
  };

  const byCandidate =
    (candidate: MediaCandidate): Place =>
    async (format) => {
      const fact = factOf(candidate, way.pageUrl);
      const inputs = await fetchAll([candidate], format, (kind) => {
        fact.kind = kind;
      });
      return { inputs, fact };
    };

  const byYtDlp: Place = async (format) => {
    const { ytDlp: executable, interpreters } = deps.tools;
    const ask = createYtDlp({ executable: executable!, interpreters, run, openProxy: deps.egress.openBrowserProxy });
    const { parts, ...tip } = await ask(way.pageUrl, way, folder, signal);
    const sound = parts.find(({ hasAudio, hasVideo }) => hasAudio && !hasVideo);
    const inputs = await fetchAll(format === 'audio' && sound ? [sound] : parts, format);
    return {
      inputs,
      fact: { ...factOf({ ...tip, url: way.pageUrl, source: 'yt-dlp' }, way.pageUrl), provider: tip.provider },
    };
  };

  const placesFor = (format: MediaFormat): Place[] => {
    const isFile = candidates.some(({ source }) => source === 'file');
    const fit = (kind: MediaFormat | undefined) => kind === undefined || kind === format || format === 'audio';
    const offered = candidates
      .filter(({ kind }) => fit(kind))
      .sort((a, b) => Number(b.kind === format) - Number(a.kind === format))
      .slice(0, MAX_TRIES)
      .map(byCandidate);
    if (!deps.tools.ytDlp || isFile) return offered;
    return isKnownSite(way.pageUrl) ? [byYtDlp, ...offered] : [...offered, byYtDlp];
  };

  const search = async (format: MediaFormat): Promise<Gathered> => {
    const failures: ServiceError[] = [];
    for (const place of placesFor(format)) {
      try {
        return await place(format);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        failures.push(error);
      }
    }
    throw refusal(format, failures);
  };

  return {
    async find(): Promise<FoundMedia> {
      const main = await search(formats.includes('video') ? 'video' : 'audio');
      const found: FoundMedia = { videos: factsOf(main, candidates, way.pageUrl) };
      // Before the video, which may be the very file that was fetched, under another name.
      if (formats.includes('audio')) found.audio = await makeAudio(ffmpeg, main, search, signal);
      if (formats.includes('video'))
        found.video = await convert(ffmpeg, main.inputs, 'video', signal).catch(as('video'));
      return found;
    },
  };
}

/** The sound of what was found; of silent pictures, the page may have it elsewhere. */
async function makeAudio(
  ffmpeg: Ffmpeg,
  main: Gathered,
  search: (format: MediaFormat) => Promise<Gathered>,
  signal: AbortSignal,
): Promise<MediaFile> {
  const hasSound = main.inputs.some(({ streams }) => streams.some(({ kind }) => kind === 'audio'));
  const { inputs } = hasSound ? main : await search('audio');
  return convert(ffmpeg, inputs, 'audio', signal).catch(as('audio'));
}

const as =
  (format: MediaFormat) =>
  (error: unknown): never => {
    throw error instanceof ServiceError && error.code === 'SCRAPE_VIDEO_UNSUPPORTED_URL'
      ? refusal(format, [error])
      : error;
  };

function requireStreams(inputs: readonly ProbedInput[], format: MediaFormat): void {
  if (inputs.some(({ streams }) => streams.some(({ kind }) => kind === format))) return;
  throw unusable(format === 'video' ? 'The media file has no pictures.' : 'The media file has no sound.');
}

function factOf({ url, source, kind: _, ...facts }: MediaCandidate, pageUrl: string): VideoFact {
  return { url, sourceURL: pageUrl, source, ...facts };
}

/** The one that was fetched, with what its streams tell, before the others. */
function factsOf({ fact, inputs }: Gathered, candidates: readonly MediaCandidate[], pageUrl: string): VideoFact[] {
  const picture = inputs.flatMap(({ streams }) => streams).find(({ kind }) => kind === 'video');
  const others = candidates
    .filter(({ kind, url }) => kind === 'video' && url !== fact.url)
    .map((candidate) => factOf(candidate, pageUrl));
  if (!picture) return others.slice(0, MAX_FACTS);
  const duration = fact.duration ?? inputs.find((input) => input.duration !== undefined)?.duration;
  const known = { ...fact, duration, width: picture.width, height: picture.height };
  return [known, ...others].slice(0, MAX_FACTS);
}
