// A label and its value as two parts of one element, without any name: <div><span>Colour</span><span>Grey</span></div>, or
// the value above its label.
import { type HtmlTree, TEXT } from '../html/html-tree.ts';
import { isInvisible } from '../html/tags.ts';

const MAX_NODES = 14;
const MAX_TEXTS = 5;
const MAX_LABEL = 40;
const MAX_LABEL_WORDS = 4;
const MAX_VALUE = 120;

export interface LabelBeside {
  label: string;
  value: string;
}

/** The label has no digits; a value above its label has. */
export function sideBySide(tree: HtmlTree, node: number): LabelBeside[] {
  const nodes = tree.end[node]! - node;
  if (nodes < 4 || nodes > MAX_NODES) return [];
  const [first, ...rest] = textsOf(tree, node);
  const value = rest.join(' ');
  if (first === undefined || value === '' || value.length > MAX_VALUE) return [];
  // More than two texts are one value only if they are a number and its unit.
  if (rest.length > 1 && !/^\d/.test(rest[0]!)) return [];
  if (canLabel(first)) return [{ label: first.replace(COLON, ''), value }];
  return rest.length === 1 && /\d/.test(first) && canLabel(value) ? [{ label: value, value: first }] : [];
}

/** The visible texts, if they are few and not all in one element. */
function textsOf(tree: HtmlTree, node: number): string[] {
  const texts: string[] = [];
  const end = tree.end[node]!;
  for (let at = node + 1; at < end; at++) {
    if (tree.kind[at] !== TEXT) {
      if (isInvisible(tree.tag[at]!)) at = tree.end[at]! - 1;
      continue;
    }
    const text = tree
      .text(at)
      .slice(0, 200)
      .replace(/\p{Co}/gu, '')
      .trim();
    if (text === '' || text === ':') continue;
    if (texts.length === MAX_TEXTS || text.length > MAX_VALUE) return [];
    texts.push(text);
  }
  return texts;
}

const COLON = /\s?[:：]$/;
const canLabel = (text: string): boolean =>
  text.length <= MAX_LABEL &&
  /\p{L}/u.test(text) &&
  !/\d|[!?;{}]$|.{5}\.$/.test(text) &&
  text.split(/\s+/).length <= MAX_LABEL_WORDS;
