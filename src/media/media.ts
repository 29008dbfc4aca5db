// Port: the audio and video of a page, as files. The default adapter is create-media.ts.
import type { ServiceError } from '../contracts/errors/errors.ts';
import type { MediaCandidate, MediaFormat, VideoFact } from '../page/media.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import type { MediaAccess } from './download/downloads.ts';
import type { MediaFile } from './tools/convert.ts';

export interface MediaRequest {
  /** For whom: downloads are shared by team. */
  asker: Asker;
  /** At least one. */
  formats: readonly MediaFormat[];
  /** Media the page refers to, the most likely first. */
  candidates: readonly MediaCandidate[];
  access: MediaAccess;
}

export interface FoundMedia {
  audio?: MediaFile;
  video?: MediaFile;
  /** What is known about the videos on the page. */
  videos: VideoFact[];
  /** Why a requested format is not there. */
  missing: Partial<Record<MediaFormat, ServiceError>>;
}

export interface Media {
  /** Undefined if media can be fetched; otherwise why not, and what to do about it. */
  unavailable(): string | undefined;
  /**
   * Fetches the requested formats and passes them to `use`. The files are deleted afterwards, unless `use` moved them.
   * Throws ServiceError if none of the formats is available.
   */
  gather<T>(request: MediaRequest, use: (found: FoundMedia) => Promise<T>, signal: AbortSignal): Promise<T>;
}
