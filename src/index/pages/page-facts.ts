// What the index knows about a page besides its text: a row of the table `docs`.
import type { PageOwner } from '../../page/page-owner.ts';

export interface PageFacts {
  id: number;
  owner: PageOwner;
  /** The key by which URLs and links find the page, among the pages of its owner. */
  key: number;
  host: string;
  /** Publication date, else when the store first saw the page. */
  date: number;
  locale: string;
  type: string;
  flags: number;
  /** 1 if no certificate on the way to the page was invalid. */
  verified: number;
  /** 0 to 255. */
  quality: number;
  /** Number of images, at most 255. */
  images: number;
  /** Number of other hosts that link to the page, at most 255. */
  inlinks: number;
  /** Number of anchor texts indexed with the page. */
  anchors: number;
}

export const IS_NEWS = 1;
export const IS_FRONT_PAGE = 2;
/** The bits above the flags hold the path depth, at most `MAX_DEPTH`. */
const DEPTH_SHIFT = 2;
export const MAX_DEPTH = 15;

export const flagsWithDepth = (flags: number, depth: number): number =>
  flags | (Math.min(MAX_DEPTH, depth) << DEPTH_SHIFT);
export const depthOf = (flags: number): number => flags >> DEPTH_SHIFT;
