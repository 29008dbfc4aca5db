// Texts that stand side by side without a blank between them: <span>40 minutes</span><span>Cook time</span>. Their style
// sets them apart.
import { ELEMENT, type HtmlTree } from '../html/html-tree.ts';

/** Whether the text begins an element right behind another one, and reads as a new start. `before`: the text so far. */
export function isSetApart(tree: HtmlTree, node: number, before: string): boolean {
  return /[\p{Ll}\d.)]$/u.test(before) && /^\p{Lu}/u.test(tree.text(node)) && beginsBesideElement(tree, node);
}

function beginsBesideElement(tree: HtmlTree, node: number): boolean {
  let begun = node;
  while (begun > 0 && tree.parent[begun] === begun - 1) begun -= 1;
  if (begun === node || begun <= 0) return false;
  let beside = begun - 1;
  while (tree.parent[beside] !== tree.parent[begun]) beside = tree.parent[beside]!;
  return tree.kind[beside] === ELEMENT;
}
