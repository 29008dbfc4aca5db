// Elements that the author left empty. Those with a class or an id are decoration or placeholders for scripts and are
// ignored; those without are intended: an empty list item counts, an empty listing or quote is shown.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';

// The element, white space, a code element, and white space.
const MAX_NODES = 4;

export function isLeftEmpty(tree: HtmlTree, root: number): boolean {
  if (tree.end[root]! - root > MAX_NODES) return false;
  for (let node = root; node < tree.end[root]!; node++) {
    if (tree.kind[node] === TEXT && !tree.isBlank(node)) return false;
  }
  for (let node = root; node < tree.end[root]!; node++) {
    // A language class does not make the element decoration.
    if (tree.kind[node] === ELEMENT && (node === root || tree.tagName(node) === 'code')) {
      for (const [name, value] of tree.attributes(node))
        if (name !== 'class' || !value.startsWith('language-')) return false;
    } else if (tree.kind[node] === ELEMENT) return false;
  }
  return true;
}
