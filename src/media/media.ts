// Port: audio and video of a page, as files. The default adapter is create-media.ts.
import type { MediaCandidate, MediaFormat, VideoFact } from '../contracts/media.ts';
import type { MediaFile } from './convert.ts';
import type { MediaWay } from './downloads.ts';

export interface MediaRequest {
  /** At least one. */
  formats: readonly MediaFormat[];
  /** What the page offers, the most likely first. */
  candidates: readonly MediaCandidate[];
  way: MediaWay;
}

export interface FoundMedia {
  audio?: MediaFile;
  video?: MediaFile;
  /** What is known of the videos that the page offers. */
  videos: VideoFact[];
}

export interface Media {
  /** Undefined while media can be had; else one sentence why not, and what to do about it. */
  unavailable(): string | undefined;
  /**
   * Fetches what is asked for and hands it to `use`; the files are gone when that has ended, unless it moved them.
   * Throws ServiceError when any of the formats cannot be had.
   */
  gather<T>(request: MediaRequest, use: (found: FoundMedia) => Promise<T>, signal: AbortSignal): Promise<T>;
}
