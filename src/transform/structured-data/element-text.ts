// The text of an element on lines of its own for each block, with white space collapsed. Bounded for the whole page, since
// nested elements are asked one by one.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../markup/html/node-mask.ts';
import { isBlock, isInvisible, TAG } from '../../markup/html/tags.ts';
import { MAX_VALUE } from './plain-value.ts';

const MAX_STEPS_PER_PAGE = 5_000_000;

export class ElementText {
  readonly #tree: HtmlTree;
  readonly #mask: Mask | undefined;
  #steps = MAX_STEPS_PER_PAGE;

  /** With a mask, only what it keeps is read. */
  constructor(tree: HtmlTree, mask?: Mask) {
    this.#tree = tree;
    this.#mask = mask;
  }

  of(node: number, max = MAX_VALUE): string {
    return this.between(node, this.#tree.end[node]!, max);
  }

  /** One line. */
  lineOf(node: number, max = MAX_VALUE): string {
    return this.of(node, max).replaceAll('\n', ' ');
  }

  between(from: number, to: number, max = MAX_VALUE): string {
    const tree = this.#tree;
    let text = '';
    const blockEnds: number[] = [];
    for (let at = from; at < to && text.length < max && this.#steps > 0; at++) {
      this.#steps -= 1;
      for (; at >= (blockEnds.at(-1) ?? to); blockEnds.pop()) text += '\n';
      const tag = tree.tag[at]!;
      if (tree.kind[at] === TEXT) {
        if (this.#mask?.[at] !== DROPPED) text += tree.text(at).slice(0, 2 * max);
      } else if (isInvisible(tag) && at > from) at = tree.end[at]! - 1;
      else if (this.#mask?.[at] === DROPPED) at = tree.end[at]! - 1;
      else if (tag === TAG.br || isBlock(tag)) {
        text += '\n';
        if (tag !== TAG.br) blockEnds.push(tree.end[at]!);
      }
    }
    return collapse(text).slice(0, max);
  }
}

/** Marks of writing direction and zero-width spaces are not part of a value. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]/g;

const collapse = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
