// Features of the relation between the block, the page title and the first heading.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import type { Sums } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';
import { openingOf } from './own-text.ts';
import { TitleWords } from './title-words.ts';

export const TITLE_FEATURES = ['title-overlap', 'h1-distance', 'h1-word-distance', 'title-block-distance'] as const;
const column = columnsOf(TITLE_FEATURES);

const COMPARED_WORDS = 25;
const COMPARED_CHARS = 200;
const NOWHERE = 99;

export class TitleFeatures implements FeatureFamily {
  readonly #sums: Sums;
  readonly #overlaps: Float32Array;
  /** The block of the first heading, and the block that matches the title best; -1 if the page has no such block. */
  readonly #h1Block: number;
  readonly #titleBlock: number;

  constructor(tree: HtmlTree, { list, firstBlock }: Blocks, sums: Sums) {
    this.#sums = sums;
    this.#overlaps = titleOverlaps(tree, list, titleWordsOf(tree));
    const h1 = firstHeading(tree, list.length, firstBlock);
    this.#h1Block = h1 > 0 ? firstBlock[h1]! : -1;
    this.#titleBlock = bestTitleBlock(list, this.#overlaps);
  }

  write(index: number, row: Float32Array, at: number): void {
    const { words } = this.#sums;
    const h1 = this.#h1Block;
    const title = this.#titleBlock;
    row[at + column['title-overlap']] = this.#overlaps[index]!;
    row[at + column['h1-distance']] = h1 < 0 ? NOWHERE : signedLog(index - h1);
    row[at + column['h1-word-distance']] = h1 < 0 ? NOWHERE : signedLog(words[index]! - words[h1]!);
    row[at + column['title-block-distance']] = title < 0 ? NOWHERE : signedLog(index - title);
  }
}

const signedLog = (distance: number): number => Math.sign(distance) * Math.log2(1 + Math.abs(distance));

/** The word overlap of each short block with the title. */
function titleOverlaps(tree: HtmlTree, list: Blocks['list'], titleWords: TitleWords): Float32Array {
  const overlaps = new Float32Array(list.length);
  if (titleWords.size === 0) return overlaps;
  for (let index = 0; index < list.length; index++) {
    const block = list[index]!;
    if (block.stats.words > COMPARED_WORDS) continue;
    overlaps[index] = titleWords.overlap(openingOf(block, tree, COMPARED_CHARS));
  }
  return overlaps;
}

/** The block that matches the title best: most likely the headline, where the content begins. */
function bestTitleBlock(list: Blocks['list'], overlaps: Float32Array): number {
  let best = -1;
  let most = 0.3;
  for (let index = 0; index < list.length; index++) {
    const block = list[index]!;
    if (block.stats.words < 2) continue;
    const shared = overlaps[index]! + ((block.flags & FLAG.heading) !== 0 ? 0.2 : 0);
    if (overlaps[index]! > 0 && shared > most) {
      most = shared;
      best = index;
    }
  }
  return best;
}

export const titleWordsOf = (tree: HtmlTree): TitleWords => new TitleWords(titleOf(tree));

export function titleOf(tree: HtmlTree): string {
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TAG.title) return node + 1 < tree.end[node]! ? tree.text(node + 1).slice(0, 300) : '';
    if (tree.tag[node] === TAG.body) return '';
  }
  return '';
}

/** The first h1 that contains anything. */
function firstHeading(tree: HtmlTree, count: number, firstBlock: Int32Array): number {
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.h1) continue;
    if (firstBlock[node]! < count && tree.end[node]! > node + 1) return node;
  }
  return 0;
}
