// Images, embeds, formulas and rules among the kept blocks: they have no text of their own to be judged by.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { isUnseen } from '../blocks/block-sums.ts';
import type { Block } from '../blocks/blocks.ts';

const isMedia = tagSet('img picture video audio iframe embed object hr math mjx-container');

/** Media between two kept blocks, or close to one in the tree. A rule separates: it needs a kept block on both sides. */
export function* mediaAmong(tree: HtmlTree, whole: Mask, list: Block[], keep: Uint8Array): Iterable<number> {
  let next = 0;
  for (let node = 1; node < tree.size; node++) {
    while (next < list.length && list[next]!.start < node) next += 1;
    if (tree.kind[node] !== ELEMENT || whole[node] === DROPPED || !isMedia(tree.tag[node]!)) continue;
    // What is hidden lies about: typesetters put a second copy of a formula next to it.
    const previous = nextSeen(list, keep, next - 1, -1);
    const following = nextSeen(list, keep, next, 1);
    const before = keep[previous] === 1;
    const after = keep[following] === 1;
    if (before && after) yield node;
    else if (tree.tag[node] === TAG.hr) continue;
    else if ((before && isBeside(tree, node, list[previous]!)) || (after && isBeside(tree, node, list[following]!)))
      yield node;
    node = tree.end[node]! - 1;
  }
}

// Bounds the cost of pages with many images and much that is hidden.
const MAX_UNSEEN = 8;

function nextSeen(list: Block[], keep: Uint8Array, from: number, step: 1 | -1): number {
  let at = from;
  for (let passed = 0; passed < MAX_UNSEEN && keep[at] === 0 && isUnseen(list[at]!); passed++) at += step;
  return at;
}

const BESIDE_LEVELS = 3;

/** Whether a close ancestor holds both. */
export function isBeside(tree: HtmlTree, node: number, block: Block): boolean {
  let above = node;
  for (let level = 0; level < BESIDE_LEVELS && above > 0; level++) {
    above = tree.parent[above]!;
    if (above <= block.start && block.start < tree.end[above]!) return true;
  }
  return false;
}
