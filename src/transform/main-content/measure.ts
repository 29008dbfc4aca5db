// How much text, and how much of it in links, every kept subtree holds: one pass over the text, one sum from the end.
import { DROPPED, type Mask } from '../html/mask.ts';
import { TAG } from '../html/tags.ts';
import { type HtmlTree, TEXT } from '../html/tree.ts';

export interface Measures {
  /** Length of the text in the subtree. */
  text: Int32Array;
  /** Those of them that stand in links. */
  linked: Int32Array;
  /** Number of links. */
  links: Int32Array;
  /** Text of paragraphs and the like, which navigation has none of. */
  prose: Int32Array;
}

// Shorter runs are labels, not sentences.
const SENTENCE = 60;
const DENSE = /[\u2e80-\u9fff\uac00-\ud7af]/;

export function measure(tree: HtmlTree, mask: Mask): Measures {
  const text = new Int32Array(tree.size);
  const linked = new Int32Array(tree.size);
  const links = new Int32Array(tree.size);
  const prose = new Int32Array(tree.size);
  let linkEnd = 0;
  for (let node = 1; node < tree.size; node++) {
    if (mask[node] === DROPPED) continue;
    if (tree.kind[node] === TEXT) {
      const length = lengthOf(tree.text(node).trim());
      text[node] = length;
      if (node < linkEnd) linked[node] = length;
      else if (length >= SENTENCE) prose[node] = length;
    } else if (tree.tag[node] === TAG.a && tree.attribute(node, 'href') !== undefined) {
      linkEnd = tree.end[node]!;
      links[node] = 1;
    }
  }
  for (let node = tree.size - 1; node > 0; node--) {
    const parent = tree.parent[node]!;
    text[parent]! += text[node]!;
    linked[parent]! += linked[node]!;
    links[parent]! += links[node]!;
    prose[parent]! += prose[node]!;
  }
  return { text, linked, links, prose };
}

/** A Han, kana or Hangul character says about as much as two letters. */
const lengthOf = (text: string): number => (DENSE.test(text) ? 2 * text.length : text.length);

export const linkShare = ({ text, linked }: Measures, node: number): number =>
  text[node] === 0 ? 0 : linked[node]! / text[node]!;
