// The tree of a page that several steps read, one after the other: what one of them has parsed, the next ones find.
import type { HtmlTree } from '../html/html-tree.ts';
import { parseHtml } from '../html/parse-html.ts';
import { forgetTree, keptTree } from './kept-tree.ts';

export function pageTree(html: string): HtmlTree {
  if (keptTree.page?.html === html) return keptTree.page.tree;
  forgetTree();
  const tree = parseHtml(html);
  keptTree.page = { html, tree };
  return tree;
}
