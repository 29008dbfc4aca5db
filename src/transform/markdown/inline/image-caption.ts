// The caption of an image that the chosen content leaves out: it still describes the image better than nothing.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG } from '../../../markup/html/tags.ts';

const FIGURE_LEVELS = 4;
const MAX_CHARS = 300;

/** '' unless the image is in a figure whose caption is dropped. */
export function droppedCaption(tree: HtmlTree, mask: Mask, image: number): string {
  let figure = image;
  for (let level = 0; level <= FIGURE_LEVELS && figure > 0 && tree.tag[figure] !== TAG.figure; level++) {
    figure = tree.parent[figure]!;
  }
  if (tree.tag[figure] !== TAG.figure) return '';
  for (let node = image + 1; node < tree.end[figure]!; node++) {
    if (tree.tag[node] === TAG.figcaption) return mask[node] === DROPPED ? textIn(tree, node) : '';
  }
  return '';
}

function textIn(tree: HtmlTree, element: number): string {
  let text = '';
  for (let node = element + 1; node < tree.end[element]! && text.length < MAX_CHARS; node++) {
    if (tree.kind[node] === TEXT) text += ` ${tree.text(node)}`;
  }
  return text.slice(0, MAX_CHARS);
}
