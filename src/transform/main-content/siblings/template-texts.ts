// The texts of a page that stand on most other pages of its site, as people read them.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import type { Block } from '../blocks/blocks.ts';
import type { Extraction } from '../extractor.ts';
import { isDoubted } from './template-doubt.ts';

/** Longer texts are no value of a field. */
const MAX_LENGTH = 200;
const MAX_TEXTS = 300;
const MAX_SHOWN = 20;
const MAX_SHOWN_LENGTH = 100;

export function repeatedTexts(tree: HtmlTree, { blocks, siblings }: Pick<Extraction, 'blocks' | 'siblings'>): string[] {
  const texts = new Set<string>();
  for (const [index, block] of blocks.list.entries()) {
    if (texts.size === MAX_TEXTS) break;
    if (!siblings || !isDoubted(siblings, index)) continue;
    const text = textOf(tree, block);
    if (text.length <= MAX_LENGTH) texts.add(text);
  }
  return [...texts];
}

/** The first ones that were left out, for people. */
export function templateTexts(
  tree: HtmlTree,
  { blocks, keep, siblings }: Pick<Extraction, 'blocks' | 'keep' | 'siblings'>,
): string[] {
  const texts = new Set<string>();
  for (const [index, block] of blocks.list.entries()) {
    if (texts.size === MAX_SHOWN) break;
    if (keep[index] === 0 && siblings && isDoubted(siblings, index))
      texts.add(textOf(tree, block).slice(0, MAX_SHOWN_LENGTH));
  }
  return [...texts];
}

function textOf(tree: HtmlTree, { start, end }: Block): string {
  let text = '';
  for (let node = start; node < end && text.length <= 2 * MAX_LENGTH; node++)
    if (tree.kind[node] === TEXT) text += tree.text(node).slice(0, 2 * MAX_LENGTH);
  return text.replaceAll(/\s+/g, ' ').trim();
}
