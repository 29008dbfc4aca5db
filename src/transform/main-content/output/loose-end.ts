// Drops what introduces nothing at the end of the content: a heading such as "Related", or a label such as "Tags:".
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Mask } from '../../../markup/html/node-mask.ts';
import { isHeading, TAG } from '../../../markup/html/tags.ts';
import { linkShareOf } from '../blocks/block-sums.ts';
import type { Block } from '../blocks/blocks.ts';
import { mediaAmong } from './media.ts';

const LABEL_WORDS = 3;
const LINKED = 0.5;

/** `mask` has the nodes that may be kept. */
export function dropLooseEnd(tree: HtmlTree, mask: Mask, list: Block[], keep: Uint8Array): void {
  const first = keep.indexOf(1);
  let last = keep.lastIndexOf(1);
  if (last <= first || !isLoose(tree, list[last]!)) return;
  const mediaEnd = lastMedia(tree, mask, list, keep);
  for (; last > first && isLoose(tree, list[last]!) && mediaEnd < list[last]!.end; last = keep.lastIndexOf(1)) {
    keep[last] = 0;
  }
}

/** A heading that is a link leads to its content and needs none here. */
function isLoose(tree: HtmlTree, block: Block): boolean {
  if (isHeading(tree.tag[block.container]!)) return linkShareOf(block) < LINKED;
  return block.stats.words <= LABEL_WORDS && /[:：]$/.test(tree.text(block.end - 1).trimEnd());
}

function lastMedia(tree: HtmlTree, mask: Mask, list: Block[], keep: Uint8Array): number {
  let last = 0;
  for (const node of mediaAmong(tree, mask, list, keep)) if (tree.tag[node] !== TAG.hr) last = node;
  return last;
}
