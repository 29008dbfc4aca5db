// Shortens text for an index entry: white space collapsed, length bounded, never cut inside a character.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { isBlock, TAG, tagSet } from '../../../markup/html/tags.ts';
import { collapseSpace } from '../../markdown/white-space.ts';

/** Bounds the work for a label: a page may put a whole book into one. */
const MAX_LABEL_NODES = 200;
/** A cut moves back at most this far to the end of a word. */
const MAX_WORD = 100;
const hasNoLabel = tagSet('script style svg template noscript iframe object textarea select rt rp');

/** Cuts at the end of a word, because half a word would be indexed as another word. */
export const tidy = (text: string, length: number): string =>
  clipAtWord(collapseSpace(text.slice(0, length * 4)).trim(), length);

export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const splits = isHighSurrogate(text.charCodeAt(length - 1));
  return text.slice(0, splits ? length - 1 : length);
}

/** Cuts at the end of a word, if there is one near. */
export function clipAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = clip(text, length);
  if (/\s/.test(text[cut.length]!)) return cut.trimEnd();
  const end = cut.slice(-MAX_WORD).search(/\s\S*$/);
  return end === -1 ? cut : cut.slice(0, cut.length - Math.min(MAX_WORD, cut.length) + end).trimEnd();
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The text of an element on one line. */
export function labelOf(tree: HtmlTree, root: number, length: number): string {
  let text = '';
  const end = Math.min(tree.end[root]!, root + MAX_LABEL_NODES);
  for (let node = root + 1; node < end && text.length < length * 4; node++) {
    const tag = tree.tag[node]!;
    if (tree.kind[node] === TEXT) text += tree.text(node);
    else if (hasNoLabel(tag)) node = tree.end[node]! - 1;
    else if (tag === TAG.br || isBlock(tag)) text += ' ';
  }
  return tidy(text, length);
}
