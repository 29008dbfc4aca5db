// What is known of a document beside its words: a row of `docs`.

export interface PageFacts {
  id: number;
  /** The key by which links find it. */
  key: number;
  host: string;
  /** When it was published, else when the store first saw it. */
  date: number;
  locale: string;
  type: string;
  flags: number;
  /** 0 to 255. */
  quality: number;
  /** How many pictures it shows, at most 255. */
  images: number;
  /** How many other hosts lead to it, at most 255. */
  inlinks: number;
  /** How many link texts were indexed with it. */
  anchors: number;
}

export const IS_NEWS = 1;
export const IS_FRONT_PAGE = 2;
/** Above the other flags: how deep the path is, at most `MAX_DEPTH`. */
const DEPTH_SHIFT = 2;
export const MAX_DEPTH = 15;

export const flagsWithDepth = (flags: number, depth: number): number =>
  flags | (Math.min(MAX_DEPTH, depth) << DEPTH_SHIFT);
export const depthOf = (flags: number): number => flags >> DEPTH_SHIFT;
