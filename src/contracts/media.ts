// Audio and video: what a page offers, and what is told of it in an answer.

export type MediaFormat = 'audio' | 'video';

/** Where a page names it. */
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

/** What may be a media file or a playlist: nobody has looked yet. */
export interface MediaCandidate extends MediaFacts {
  /** http(s), absolute. */
  url: string;
  source: MediaSource;
  /** Undefined when the page does not say which. */
  kind?: MediaFormat;
}

/** One entry of `videos`. */
export interface VideoFact extends MediaFacts {
  /** Where the video is. */
  url: string;
  /** The page that it was found on. */
  sourceURL: string;
  source: MediaSource;
  kind?: 'file' | 'hls' | 'dash';
  /** The site behind it, where a tool knows that. */
  provider?: string;
}
