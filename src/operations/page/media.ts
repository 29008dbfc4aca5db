// The formats `audio` and `video`: files that are downloaded, converted and stored for an hour behind signed links.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { type FormatType, formatsOf } from '../../contracts/formats/format-traits.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { Location } from '../../contracts/scrape/location.ts';
import type { Identify } from '../../fetch/identity.ts';
import type { Media } from '../../media/media.ts';
import { oncePerHost } from '../../net/checked-requests.ts';
import type { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { MediaCandidate, MediaFormat, VideoFact } from '../../page/media.ts';
import type { ProxyClass } from '../../page/page.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import type { FileLinks } from '../files.ts';
import { isMissing, type MissingFormat } from './missing-formats.ts';

export interface MediaCollection {
  asker: Asker;
  formats: readonly MediaFormat[];
  /** Checks where the files come from. */
  threatCheck?: Pick<ThreatCheck, 'check'>;
  page: {
    finalUrl: string;
    candidates: readonly MediaCandidate[];
  };
  request: {
    proxyClass: ProxyClass;
    location: Location;
    mobile: boolean;
    verifyTls: boolean;
    headers: CallerHeaders;
    /** Whether storing anything is forbidden. */
    isTraceless: boolean;
  };
  /** Prefix of links, without a trailing slash. */
  baseUrl: string;
}

export interface CollectedMedia {
  content: { audio?: string; video?: string; videos?: VideoFact[] };
  missing: MissingFormat[];
}

export interface MediaCollector {
  /** Undefined if media can be downloaded, else one sentence that says why not. */
  unavailable(): string | undefined;
  collect(collection: MediaCollection, signal: AbortSignal): Promise<CollectedMedia>;
}

interface CollectorDeps {
  media: Media;
  fileLinks: Pick<FileLinks, 'adopt'>;
  identify: Identify;
}

const KEPT_MS = 3_600_000;

/** Credits in addition to those for the page. */
export const mediaCredits = (formats: readonly { type: FormatType }[], missing: readonly MissingFormat[]): number =>
  mediaFormats(formats).filter((format) => !isMissing(format, missing)).length * PRICES.media;

export const mediaFormats = (formats: readonly { type: FormatType }[]): MediaFormat[] =>
  formatsOf('download').filter((format) => formats.some(({ type }) => type === format));

/** A video is too large to embed in an answer, and a link needs a stored file. */
export const mediaNeedsStorage = (): ServiceError =>
  new ServiceError('BAD_REQUEST', {
    message:
      'Audio and video are stored for an hour behind a link, which zero data retention and lockdown forbid. Leave out one or the other.',
  });

export function createMediaCollector({ media, fileLinks, identify }: CollectorDeps): MediaCollector {
  return {
    unavailable: media.unavailable,
    async collect({ asker, formats, threatCheck, page, request, baseUrl }, signal) {
      const allMissing = (reason: ServiceError): CollectedMedia => ({
        content: {},
        missing: formats.map((type) => ({ type, reason })),
      });
      if (request.isTraceless) return allMissing(mediaNeedsStorage());
      const { accept: _, 'upgrade-insecure-requests': __, ...identity } = await identify(request);
      const access = {
        pageUrl: page.finalUrl,
        headers: withoutFetchHints(identity),
        callerHeaders: request.headers,
        proxyClass: request.proxyClass,
        country: request.location.country,
        verifyTls: request.verifyTls,
        ...(threatCheck && { check: oncePerHost(threatCheck.check) }),
      };
      const gathering = media.gather(
        { asker, formats, candidates: page.candidates, access },
        async ({ audio, video, videos, missing }) => ({
          content: {
            ...(audio && { audio: await fileLinks.adopt(audio, baseUrl, KEPT_MS) }),
            ...(video && { video: await fileLinks.adopt(video, baseUrl, KEPT_MS) }),
            ...(videos.length > 0 && { videos }),
          },
          missing: formats.flatMap((type) => {
            const reason = missing[type];
            return reason ? [{ type, reason }] : [];
          }),
        }),
        signal,
      );
      return gathering.catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError) || error.code === 'UNKNOWN_ERROR') throw error;
        return allMissing(error);
      });
    },
  };
}

/** These headers would claim that the file is opened as a page. */
const withoutFetchHints = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch-')));
