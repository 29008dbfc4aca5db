// Prefix sums over the blocks of a page: the sum of any subtree or window takes two look-ups.
import { FLAG, REVEALABLE } from './block-flags.ts';
import type { Block, Blocks } from './blocks.ts';

export interface Sums {
  words: Float64Array;
  linkWords: Float64Array;
  /** Number of blocks that look like a paragraph. */
  long: Int32Array;
  longWords: Float64Array;
  hiddenWords: Float64Array;
}

const LONG_WORDS = 15;
const LONG_LINK_SHARE = 0.4;

export const linkShareOf = ({ stats, linkWords }: Block): number => (stats.words === 0 ? 0 : linkWords / stats.words);

export const isLong = (block: Block): boolean =>
  block.stats.words >= LONG_WORDS && linkShareOf(block) < LONG_LINK_SHARE;

export const isUnseen = ({ flags }: Pick<Block, 'flags'>): boolean =>
  (flags & (FLAG.hidden | FLAG.noscript | FLAG.template)) !== 0;

/** Not visible, and there is no way for the reader to open it. */
export const isConcealed = (flags: number): boolean => isUnseen({ flags }) && (flags & REVEALABLE) === 0;

export function sumBlocks({ list }: Blocks): Sums {
  const size = list.length + 1;
  const sums: Sums = {
    words: new Float64Array(size),
    linkWords: new Float64Array(size),
    long: new Int32Array(size),
    longWords: new Float64Array(size),
    hiddenWords: new Float64Array(size),
  };
  for (let index = 0; index < list.length; index++) {
    const block = list[index]!;
    const long = isLong(block);
    const { words } = block.stats;
    sums.words[index + 1] = sums.words[index]! + words;
    sums.linkWords[index + 1] = sums.linkWords[index]! + block.linkWords;
    sums.long[index + 1] = sums.long[index]! + (long ? 1 : 0);
    sums.longWords[index + 1] = sums.longWords[index]! + (long ? words : 0);
    sums.hiddenWords[index + 1] = sums.hiddenWords[index]! + (isUnseen(block) ? words : 0);
  }
  return sums;
}

export const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
