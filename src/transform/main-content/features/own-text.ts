// What the text of the block itself looks like.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { linkShareOf, share } from '../blocks/block-sums.ts';
import type { Block } from '../blocks/blocks.ts';
import { endsSentence } from '../blocks/text-stats.ts';

export const OWN_FEATURES = [
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

// Words of page furniture, in the languages where they are worth most.
const PHRASE =
  /©|\bcopyright\b|all rights reserved|\bcookies?\b|privacy policy|terms of (use|service)|\bsubscribe\b|newsletter|\b(sign|log) ?(in|up|out)\b|share (on|this|via)|\bfollow us\b|read more|\bcomments?\b|leave a reply|related|advertisement|sponsored|add to cart|datenschutz|impressum|anmelden|s'abonner|mentions légales|suscríbete|版权所有|登录|注册|评论|转发|ログイン|コメント/i;
const PHRASE_CHARS = 120;
const SHORT_WORDS = 30;

const isCell = (tag: number) => tag === TAG.td || tag === TAG.th || tag === TAG.dd || tag === TAG.dt;

export function ownFeatures(block: Block, tree: HtmlTree, row: Float32Array, at: number): void {
  const { stats } = block;
  const letters = stats.letters + stats.uppers + stats.dense;
  const chars = letters + stats.digits + stats.others + stats.sentenceEnds + stats.commas;
  const tag = tree.tag[block.container]!;
  row[at++] = stats.words;
  row[at++] = chars;
  row[at++] = linkShareOf(block);
  row[at++] = block.links;
  row[at++] = block.images;
  row[at++] = stats.sentenceEnds;
  row[at++] = stats.commas;
  row[at++] = endsSentence(stats) ? 1 : 0;
  row[at++] = share(stats.uppers, letters);
  row[at++] = share(stats.digits, chars);
  row[at++] = share(stats.others, chars);
  row[at++] = share(stats.dense, chars);
  row[at++] = stats.firstIsUpper;
  row[at++] = share(letters, stats.words);
  row[at++] = stats.words <= SHORT_WORDS && PHRASE.test(openingOf(block, tree)) ? 1 : 0;
  row[at++] = tag < 256 ? tag : 255;
  row[at++] = tag >= TAG.h1 && tag <= TAG.h6 ? tag - TAG.h1 + 1 : 0;
  row[at++] = tag === TAG.p ? 1 : 0;
  row[at++] = tag === TAG.li ? 1 : 0;
  row[at++] = isCell(tag) ? 1 : 0;
  row[at++] = tag === TAG.figcaption || tag === TAG.caption ? 1 : 0;
}

export function openingOf(block: Block, tree: HtmlTree, chars = PHRASE_CHARS): string {
  let text = '';
  for (let node = block.start; node < block.end && text.length < chars; node++) text += tree.text(node).slice(0, chars);
  return text;
}
