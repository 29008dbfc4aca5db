// Tooltips inside headings and terms: they explain the words next to them and are no part of the title.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';

const TOOLTIP = /(?:^|[\s_-])tool-?tip(?:s|-?(?:text|content|inner|body|box|popup|message))?(?:$|\s)/i;

// Bounds the cost of hostile pages.
const MAX_NODES = 200;

export function isTooltip(tree: HtmlTree, node: number): boolean {
  if (tree.kind[node] !== ELEMENT) return false;
  if (tree.attribute(node, 'role') === 'tooltip') return true;
  const isNamed = TOOLTIP.test(tree.attribute(node, 'class') ?? '') || tree.tagName(node).includes('tooltip');
  return isNamed && hasTextBeside(tree, node);
}

/** The class is also used for the words that have a tooltip; then nothing stands beside them. */
function hasTextBeside(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node]!;
  const end = Math.min(tree.end[parent]!, parent + MAX_NODES);
  for (let at = parent + 1; at < end; at++) {
    if (at === node) at = tree.end[node]! - 1;
    else if (/\S/.test(tree.text(at))) return true;
  }
  return false;
}
