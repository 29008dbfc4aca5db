// Fetches the audio and video of a page: tries its sources in order of likelihood until one has the requested format.
import { queueFull, ServiceError } from '../contracts/errors/errors.ts';
import type { Egress } from '../net/egress.ts';
import type { MediaCandidate, MediaFormat, VideoFact } from '../page/media.ts';
import { createGate } from '../runtime/gate/gate.ts';
import type { Clock } from '../util/clock.ts';
import { createAllowance } from './download/allowance.ts';
import { createDownloads } from './download/downloads.ts';
import type { FetchMediaDeps, MediaAddress } from './download/fetch-media.ts';
import type { FoundMedia, Media, MediaRequest } from './media.ts';
import { refusal, unusable } from './refusals.ts';
import { convert } from './tools/convert.ts';
import { createFfmpeg, type ProbedInput } from './tools/ffmpeg.ts';
import type { FoundTools } from './tools/find-tools.ts';
import { createRunTool } from './tools/run-tool.ts';
import { createYtDlp, isKnownSite } from './tools/yt-dlp.ts';
import type { WorkFolders } from './work-folders.ts';

interface MediaDeps {
  tools: FoundTools;
  egress: Egress;
  folders: WorkFolders;
  maxBytes: number;
  clock: Clock;
}

/** Each takes disk space and a processor. */
const AT_ONCE = 4;
/** A page may refer to any amount of media. */
const MAX_TRIES = 4;
const MAX_FACTS = 20;

export function createMedia(deps: MediaDeps): Media {
  const gate = createGate({ size: AT_ONCE, spare: 1, clock: deps.clock, refusal: queueFull });
  const { tools, problem } = deps.tools;
  return {
    unavailable: () => problem,
    async gather(request, use, signal) {
      if (!tools) throw new ServiceError('NO_MEDIA_TOOLS', { message: problem });
      const { leave } = await gate.enter(request.asker, new URL(request.access.pageUrl).host, signal);
      try {
        const used = await deps.folders.use(async (folder) => use(await findMedia(deps, request, folder, signal)));
        leave();
        return used;
      } finally {
        leave('failed');
      }
    },
  };
}

interface FetchedMedia {
  inputs: ProbedInput[];
  fact: VideoFact;
}

/** Somewhere to get media from. */
type Source = (format: MediaFormat) => Promise<FetchedMedia>;

async function findMedia(
  deps: MediaDeps,
  { formats, candidates, access }: MediaRequest,
  folder: string,
  signal: AbortSignal,
): Promise<FoundMedia> {
  const { fetchMedia } = await import('./download/fetch-media.ts');
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
      const downloads = createDownloads(
        deps.egress,
        { ...access, headers: { ...access.headers, ...headers } },
        allowance,
      );
      const fetching = { downloads, ffmpeg, now: deps.clock.now, folder, onKind };
      const files = await fetchMedia(fetching, address, format, `input-${count++}`, signal);
      for (const file of files) inputs.push(await ffmpeg.probe(file, signal));
    }
    requireStreams(inputs, format);
    return inputs;
  };

  const fromCandidate =
    (candidate: MediaCandidate): Source =>
    async (format) => {
      const fact = factOf(candidate, access.pageUrl);
      const inputs = await fetchAll([candidate], format, (kind) => {
        fact.kind = kind;
      });
      return { inputs, fact };
    };

  const fromYtDlp: Source = async (format) => {
    const { ytDlp: executable, interpreters } = deps.tools;
    const ask = createYtDlp({ executable: executable!, interpreters, run, openProxy: deps.egress.openBrowserProxy });
    const { parts, ...details } = await ask(access.pageUrl, access, folder, signal);
    const sound = parts.find(({ hasAudio, hasVideo }) => hasAudio && !hasVideo);
    const inputs = await fetchAll(format === 'audio' && sound ? [sound] : parts, format);
    return {
      inputs,
      fact: {
        ...factOf({ ...details, url: access.pageUrl, source: 'yt-dlp' }, access.pageUrl),
        provider: details.provider,
      },
    };
  };

  const sourcesFor = (format: MediaFormat): Source[] => {
    const offered = likelyCandidates(candidates, format).map(fromCandidate);
    const isFile = candidates.some(({ source }) => source === 'file');
    if (!deps.tools.ytDlp || isFile) return offered;
    return isKnownSite(access.pageUrl) ? [fromYtDlp, ...offered] : [...offered, fromYtDlp];
  };
  const search = (format: MediaFormat) => tryEach(sourcesFor(format), format, signal);

  const found: FoundMedia = { videos: [], missing: {} };
  /** One format that is not available leaves the other one alone. */
  const attempt = async <T>(format: MediaFormat, run: () => Promise<T>): Promise<T | undefined> => {
    if (!formats.includes(format)) return undefined;
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      found.missing[format] = error;
      return undefined;
    }
  };
  const film = await attempt('video', () => search('video'));
  // First the audio: converting the video may rename the fetched file.
  const sound = await attempt('audio', async () => {
    // If the film is silent, the page may have audio elsewhere.
    const fetched = film && hasSound(film) ? film : await search('audio');
    return { fetched, file: await convert(ffmpeg, fetched.inputs, 'audio', signal).catch(as('audio')) };
  });
  found.audio = sound?.file;
  found.video =
    film && (await attempt('video', () => convert(ffmpeg, film.inputs, 'video', signal).catch(as('video'))));
  const [refused] = formats.map((format) => found.missing[format]).filter((error) => error !== undefined);
  if (refused && !found.audio && !found.video) throw refused;
  found.videos = factsOf(film ?? sound!.fetched, candidates, access.pageUrl);
  return found;
}

const hasSound = ({ inputs }: FetchedMedia): boolean =>
  inputs.some(({ streams }) => streams.some(({ kind }) => kind === 'audio'));

function likelyCandidates(candidates: readonly MediaCandidate[], format: MediaFormat): MediaCandidate[] {
  // Audio can be taken from a video, too.
  const fits = ({ kind }: MediaCandidate) => kind === undefined || kind === format || format === 'audio';
  return candidates
    .filter(fits)
    .sort((a, b) => Number(b.kind === format) - Number(a.kind === format))
    .slice(0, MAX_TRIES);
}

async function tryEach(sources: readonly Source[], format: MediaFormat, signal: AbortSignal): Promise<FetchedMedia> {
  const failures: ServiceError[] = [];
  for (const source of sources) {
    try {
      return await source(format);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      failures.push(error);
    }
  }
  throw refusal(format, failures);
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
  throw unusable(format === 'video' ? 'The media file has no video.' : 'The media file has no audio.');
}

function factOf({ url, source, kind: _, ...facts }: MediaCandidate, pageUrl: string): VideoFact {
  return { url, sourceURL: pageUrl, source, ...facts };
}

/** The fetched video, with details from its streams, before the others. */
function factsOf({ fact, inputs }: FetchedMedia, candidates: readonly MediaCandidate[], pageUrl: string): VideoFact[] {
  const picture = inputs.flatMap(({ streams }) => streams).find(({ kind }) => kind === 'video');
  const others = candidates
    .filter(({ kind, url }) => kind === 'video' && url !== fact.url)
    .map((candidate) => factOf(candidate, pageUrl));
  if (!picture) return others.slice(0, MAX_FACTS);
  const duration = fact.duration ?? inputs.find((input) => input.duration !== undefined)?.duration;
  const known = { ...fact, duration, width: picture.width, height: picture.height };
  return [known, ...others].slice(0, MAX_FACTS);
}
