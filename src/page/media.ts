// Audio and video: what a page offers, and how the answer describes it.
import type { FormatOf } from '../contracts/formats/format-traits.ts';

export type MediaFormat = FormatOf<'download'>;

/** Where on the page it was found. */
export type MediaSource = 'json-ld' | 'element' | 'open-graph' | 'twitter' | 'enclosure' | 'link' | 'file' | 'yt-dlp';

interface MediaFacts {
  title?: string;
  thumbnail?: string;
  description?: string;
  /** Seconds. */
  duration?: number;
  mimeType?: string;
  width?: number;
  height?: number;
}

/** A possible media file or playlist that has not been fetched yet. */
export interface MediaCandidate extends MediaFacts {
  /** An absolute http(s) URL. */
  url: string;
  source: MediaSource;
  /** Undefined when the page does not say. */
  kind?: MediaFormat;
}

/** One entry of `videos`. */
export interface VideoFact extends MediaFacts {
  url: string;
  /** The page the video was found on. */
  sourceURL: string;
  source: MediaSource;
  kind?: 'file' | 'hls' | 'dash';
  /** The site that hosts it, where yt-dlp knows it. */
  provider?: string;
}
