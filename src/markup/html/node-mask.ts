// Which nodes of a page are wanted. Every format reads the same mask, so that they agree on what the content is.
import type { HtmlTree } from './html-tree.ts';

/** One of DROPPED, KEPT or PASSED for each node. */
export type Mask = Uint8Array;

export const DROPPED = 0;
export const KEPT = 1;
/** Not wanted itself, but something inside it is: readers walk through it. */
export const PASSED = 2;

export const emptyMask = (tree: HtmlTree): Mask => new Uint8Array(tree.size);

export function keep(mask: Mask, tree: HtmlTree, node: number): void {
  mask.fill(KEPT, node, tree.end[node]!);
  for (let above = tree.parent[node]!; above >= 0 && mask[above] === DROPPED; above = tree.parent[above]!) {
    mask[above] = PASSED;
  }
}

export function drop(mask: Mask, tree: HtmlTree, node: number): void {
  mask.fill(DROPPED, node, tree.end[node]!);
}
