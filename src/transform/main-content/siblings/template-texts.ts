// What was left out of a page and stands on other pages of its site, as people read it.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import type { Block } from '../blocks/blocks.ts';
import type { Extraction } from '../extractor.ts';
import type { SiblingShares } from './sibling-shares.ts';
import { isDoubted } from './template-doubt.ts';

const MAX_SHOWN = 20;
const MAX_LENGTH = 100;

export function templateTexts(
  tree: HtmlTree,
  { blocks, keep }: Pick<Extraction, 'blocks' | 'keep'>,
  siblings: SiblingShares,
): string[] {
  const texts = new Set<string>();
  for (const [index, block] of blocks.list.entries()) {
    if (texts.size === MAX_SHOWN) break;
    if (keep[index] === 0 && isDoubted(siblings, index)) texts.add(textOf(tree, block));
  }
  return [...texts];
}

function textOf(tree: HtmlTree, { start, end }: Block): string {
  let text = '';
  for (let node = start; node < end && text.length < 2 * MAX_LENGTH; node++)
    if (tree.kind[node] === TEXT) text += tree.text(node).slice(0, 2 * MAX_LENGTH);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
}
