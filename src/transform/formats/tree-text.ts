// The plain text of a tree, with one paragraph per block.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { isBlock, isInvisible, TAG } from '../../markup/html/tags.ts';

export function treeText(tree: HtmlTree): string {
  let text = '';
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node]!;
    if (tree.kind[node] === TEXT) text += tree.text(node).replace(/\s+/g, ' ');
    else if (isBlock(tag) || tag === TAG.br) text += '\n';
    else if (isInvisible(tag)) node = tree.end[node]! - 1;
  }
  return text.replace(/ *\n[\n ]*/g, '\n\n').trim();
}
