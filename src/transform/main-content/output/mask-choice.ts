// Narrows the mask of a page to the chosen blocks, the structure around them and the media among them.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { DROPPED, KEPT, type Mask, PASSED } from '../../../markup/html/node-mask.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { isUnseen } from '../blocks/block-sums.ts';
import { type Block, elementAround } from '../blocks/blocks.ts';
import { mediaAmong } from './media.ts';

// Their content is kept, but not the elements themselves.
const isWrapping = tagSet('noscript template');

export function maskChoice(tree: HtmlTree, mask: Mask, list: Block[], keep: Uint8Array): void {
  const whole = mask.slice();
  mask.fill(DROPPED);
  const keepNode = (node: number) => {
    for (let above = node; above >= 0 && mask[above] === DROPPED; above = tree.parent[above]!) {
      mask[above] = isWrapping(tree.tag[above]!) ? PASSED : KEPT;
    }
  };
  const keepRange = (start: number, end: number) => {
    for (let node = start; node < end; node++) mask[node] = whole[node]!;
  };
  for (const [index, block] of list.entries()) {
    if (keep[index] === 0) continue;
    keepNode(tree.parent[block.start]!);
    // <noscript> and <template> were dropped from the page before, but here they hold the content.
    if (isUnseen(block)) mask.fill(KEPT, block.start, block.end);
    else keepRange(block.start, block.end);
    const code = preAround(tree, block);
    if (code > 0) keepRange(code, tree.end[code]!);
  }
  for (const node of mediaAmong(tree, whole, list, keep)) {
    keepNode(tree.parent[node]!);
    keepRange(node, tree.end[node]!);
  }
  mask[0] = KEPT;
}

/** Code samples are kept as a whole. */
const preAround = (tree: HtmlTree, block: Block): number =>
  (block.flags & FLAG.pre) === 0 ? 0 : elementAround(tree, block, TAG.pre);
