// Marks the nodes of a page to output. All formats use the same mask, so that they agree on the content.
import { type HtmlTree, TEXT } from './html-tree.ts';

/** One of DROPPED, KEPT or PASSED for each node. */
export type Mask = Uint8Array;

export const DROPPED = 0;
export const KEPT = 1;
/** Not kept itself, but a descendant is: walk through it. */
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

/** Characters of the texts below a node that are not dropped. */
export function textLength(tree: HtmlTree, mask: Mask, node: number): number {
  let length = 0;
  for (let at = node; at < tree.end[node]!; at++) {
    if (tree.kind[at] === TEXT && mask[at] !== DROPPED) length += tree.text(at).trim().length;
  }
  return length;
}
