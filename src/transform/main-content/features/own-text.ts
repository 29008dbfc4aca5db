// Features of the block's own text: length, links, punctuation, and the element it is in.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { linkShareOf, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { endsSentence } from '../blocks/text-stats.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

export const OWN_TEXT_FEATURES = [
  'chars',
  'link-share',
  'ends-sentence',
  'upper-share',
  'digit-share',
  'tag',
  'is-paragraph',
] as const;
const column = columnsOf(OWN_TEXT_FEATURES);

// This much of a block identifies its text.
const OPENING_CHARS = 120;

export class OwnTextFeatures implements FeatureFamily {
  readonly #tree: HtmlTree;
  readonly #list: readonly Block[];

  constructor(tree: HtmlTree, { list }: Blocks) {
    this.#tree = tree;
    this.#list = list;
  }

  write(index: number, row: Float32Array, at: number): void {
    const tree = this.#tree;
    const block = this.#list[index]!;
    const { stats } = block;
    const letters = stats.letters + stats.uppers + stats.dense;
    const chars = letters + stats.digits + stats.others + stats.sentenceEnds + stats.commas;
    const tag = tree.tag[block.container]!;
    row[at + column.chars] = chars;
    row[at + column['link-share']] = linkShareOf(block);
    row[at + column['ends-sentence']] = endsSentence(stats) ? 1 : 0;
    row[at + column['upper-share']] = share(stats.uppers, letters);
    row[at + column['digit-share']] = share(stats.digits, chars);
    row[at + column.tag] = tag < 256 ? tag : 255;
    row[at + column['is-paragraph']] = tag === TAG.p ? 1 : 0;
  }
}

export function openingOf(block: Block, tree: HtmlTree, chars = OPENING_CHARS): string {
  let text = '';
  for (let node = block.start; node < block.end && text.length < chars; node++) text += tree.text(node).slice(0, chars);
  return text;
}
