// Features of the block's own text: length, links, punctuation, and the element it is in.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { linkShareOf, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { endsSentence } from '../blocks/text-stats.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

export const OWN_TEXT_FEATURES = [
  'words',
  'chars',
  'link-share',
  'links',
  'images',
  'sentence-ends',
  'commas',
  'ends-sentence',
  'upper-share',
  'digit-share',
  'other-share',
  'dense-share',
  'first-upper',
  'word-length',
  'phrase',
  'tag',
  'is-heading',
  'is-paragraph',
  'is-item',
  'is-cell',
  'is-caption',
] as const;
const column = columnsOf(OWN_TEXT_FEATURES);

// Typical words of navigation, footers and forms, in the languages where they help most.
const PHRASE =
  /©|\bcopyright\b|all rights reserved|\bcookies?\b|privacy policy|terms of (use|service)|\bsubscribe\b|newsletter|\b(sign|log) ?(in|up|out)\b|share (on|this|via)|\bfollow us\b|read more|\bcomments?\b|leave a reply|related|advertisement|sponsored|add to cart|datenschutz|impressum|anmelden|s'abonner|mentions légales|suscríbete|版权所有|登录|注册|评论|转发|ログイン|コメント/i;
const PHRASE_CHARS = 120;
const SHORT_WORDS = 30;

const isCell = (tag: number) => tag === TAG.td || tag === TAG.th || tag === TAG.dd || tag === TAG.dt;

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
    row[at + column.words] = stats.words;
    row[at + column.chars] = chars;
    row[at + column['link-share']] = linkShareOf(block);
    row[at + column.links] = block.links;
    row[at + column.images] = block.images;
    row[at + column['sentence-ends']] = stats.sentenceEnds;
    row[at + column.commas] = stats.commas;
    row[at + column['ends-sentence']] = endsSentence(stats) ? 1 : 0;
    row[at + column['upper-share']] = share(stats.uppers, letters);
    row[at + column['digit-share']] = share(stats.digits, chars);
    row[at + column['other-share']] = share(stats.others, chars);
    row[at + column['dense-share']] = share(stats.dense, chars);
    row[at + column['first-upper']] = stats.firstIsUpper;
    row[at + column['word-length']] = share(letters, stats.words);
    row[at + column.phrase] = stats.words <= SHORT_WORDS && PHRASE.test(openingOf(block, tree)) ? 1 : 0;
    row[at + column.tag] = tag < 256 ? tag : 255;
    row[at + column['is-heading']] = tag >= TAG.h1 && tag <= TAG.h6 ? tag - TAG.h1 + 1 : 0;
    row[at + column['is-paragraph']] = tag === TAG.p ? 1 : 0;
    row[at + column['is-item']] = tag === TAG.li ? 1 : 0;
    row[at + column['is-cell']] = isCell(tag) ? 1 : 0;
    row[at + column['is-caption']] = tag === TAG.figcaption || tag === TAG.caption ? 1 : 0;
  }
}

export function openingOf(block: Block, tree: HtmlTree, chars = PHRASE_CHARS): string {
  let text = '';
  for (let node = block.start; node < block.end && text.length < chars; node++) text += tree.text(node).slice(0, chars);
  return text;
}
