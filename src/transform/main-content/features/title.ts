// How the block stands to the page's title and to its first heading.
import { TAG } from '../../html/tags.ts';
import type { HtmlTree } from '../../html/tree.ts';
import type { Blocks } from '../blocks.ts';
import type { FeatureWriter } from '../features.ts';
import type { Sums } from '../sums.ts';
import { openingOf } from './own-text.ts';

export const TITLE_FEATURES = ['title-overlap', 'h1-distance', 'h1-word-distance', 'h1-levels', 'after-h1'] as const;

const COMPARED_WORDS = 25;
const NOWHERE = 99;
const WORDS = /[\p{L}\p{N}]+/gu;

export function createTitleFeatures(tree: HtmlTree, { list, firstBlock }: Blocks, sums: Sums): FeatureWriter {
  const titleWords = new Set(titleOf(tree).toLowerCase().match(WORDS));
  const h1 = firstHeading(tree, list.length, firstBlock);
  const h1Block = h1 > 0 ? firstBlock[h1]! : -1;

  return (index, row, at) => {
    const block = list[index]!;
    row[at++] =
      block.stats.words <= COMPARED_WORDS && titleWords.size > 0 ? overlap(openingOf(block, tree, 200), titleWords) : 0;
    if (h1Block < 0) {
      row[at++] = NOWHERE;
      row[at++] = NOWHERE;
      row[at++] = NOWHERE;
      row[at++] = -1;
      return;
    }
    const blocksAway = index - h1Block;
    row[at++] = Math.sign(blocksAway) * Math.log2(1 + Math.abs(blocksAway));
    const wordsAway = sums.words[index]! - sums.words[h1Block]!;
    row[at++] = Math.sign(wordsAway) * Math.log2(1 + Math.abs(wordsAway));
    let levels = 0;
    for (let node = block.container; node > 0 && !(node <= h1 && h1 < tree.end[node]!); node = tree.parent[node]!)
      levels += 1;
    row[at++] = levels;
    row[at++] = blocksAway >= 0 ? 1 : 0;
  };
}

export function titleOf(tree: HtmlTree): string {
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TAG.title) return node + 1 < tree.end[node]! ? tree.text(node + 1).slice(0, 300) : '';
    if (tree.tag[node] === TAG.body) return '';
  }
  return '';
}

/** The first h1 that says something. */
function firstHeading(tree: HtmlTree, count: number, firstBlock: Int32Array): number {
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.h1) continue;
    if (firstBlock[node]! < count && tree.end[node]! > node + 1) return node;
  }
  return 0;
}

function overlap(text: string, titleWords: Set<string>): number {
  const words = text.toLowerCase().match(WORDS);
  if (!words) return 0;
  let shared = 0;
  for (const word of words) if (titleWords.has(word)) shared += 1;
  return shared / Math.max(words.length, titleWords.size);
}
