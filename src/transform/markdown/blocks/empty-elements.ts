// Elements that the author left empty. One with a class or an id is decoration or waits for a script, and says nothing;
// a bare one stands for itself: an empty item counts, an empty listing or quote is shown.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';

// At most white space, a code element and white space.
const MAX_NODES = 4;

export function isLeftEmpty(tree: HtmlTree, root: number): boolean {
  if (tree.end[root]! - root > MAX_NODES) return false;
  for (let node = root; node < tree.end[root]!; node++) {
    if (tree.kind[node] === TEXT && !tree.isBlank(node)) return false;
  }
  for (let node = root; node < tree.end[root]!; node++) {
    // A language tells what the code would be, but does not make it decoration.
    if (tree.kind[node] === ELEMENT && (node === root || tree.tagName(node) === 'code')) {
      for (const [name, value] of tree.attributes(node))
        if (name !== 'class' || !value.startsWith('language-')) return false;
    } else if (tree.kind[node] === ELEMENT) return false;
  }
  return true;
}
