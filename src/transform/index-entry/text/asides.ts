// Inline elements that are not part of the running text: hidden ones, footnote marks, heading anchors.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { isBlock, isVoid, TAG } from '../../../markup/html/tags.ts';
import { FlagReader } from '../../main-content/blocks/block-flags.ts';

/** Larger elements are never asides: a page may hide all its content until a script shows it. */
const SMALL_ASIDE = 20;
// Text for screen readers, names of icons, and edit links of wikis.
const NO_TEXT =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|material-(?:icons|symbols)[\w-]*|mw-editsection)(?:\s|$)/;
const NO_WORD = /^[^\p{L}\p{N}]*$/u;

export class Asides {
  readonly #tree: HtmlTree;
  readonly #flags: FlagReader;
  readonly #class: number;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#flags = new FlagReader(tree);
    this.#class = tree.attributeNumber('class');
  }

  has(node: number, tag: number): boolean {
    const tree = this.#tree;
    if (tree.end[node]! - node > SMALL_ASIDE || isBlock(tag) || isVoid(tag)) return false;
    if (tag === TAG.sup && tree.tag[node + 1] === TAG.a) return this.#isJump(node + 1);
    if (tag === TAG.a && tree.end[node] === node + 2 && this.#isJump(node)) return NO_WORD.test(tree.text(node + 1));
    const names = tree.attributeAt(node, this.#class);
    if (names !== undefined && NO_TEXT.test(names)) return true;
    return this.#flags.isConcealed(node);
  }

  #isJump(link: number): boolean {
    return this.#tree.attribute(link, 'href')?.[0] === '#';
  }
}
