// Headings that are the name of the site.
import type { HtmlTree } from '../html/html-tree.ts';
import { TAG } from '../html/tags.ts';

/** Whether the element holds a link to the front page. */
export function isFrontPageLink(tree: HtmlTree, node: number): boolean {
  for (let at = node; at < tree.end[node]!; at++) {
    if (tree.tag[at] === TAG.a && /^(?:https?:\/\/[^/]+)?\/?$/.test(tree.attribute(at, 'href') ?? '-')) return true;
  }
  return false;
}
