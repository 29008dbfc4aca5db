// Features of the whole page: some are the same for every block, all are input of the page-type classifier.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { isHeading, TAG } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { isLong, type Sums, share } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import type { FeatureFamily } from './feature-family.ts';
import { pageAddress } from './page-address.ts';

/** Features of every block, too. */
export const PAGE_WIDE_FEATURES = [
  'page-words',
  'page-blocks',
  'page-link-share',
  'page-long',
  'page-long-share',
  'page-hidden-share',
  'page-item-share',
  'page-heading-share',
  'page-mean-words',
  'page-best-long',
  'page-links',
  'page-images',
  'page-headings',
  'page-articles',
  'page-has-main',
  'page-forms',
  'page-digits-share',
  'page-price-share',
  'url-depth',
  'url-digits',
  'url-words',
] as const;

/** Only for the page type. */
const PAGE_TYPE_FEATURES = [
  'page-table-share',
  'page-dense-share',
  'page-best-share',
  'page-time',
  'page-article-type',
  'page-product-type',
  'page-published',
] as const;

/** The features of the page itself. */
export const PAGE_FEATURES = [...PAGE_WIDE_FEATURES, ...PAGE_TYPE_FEATURES] as const;

interface Counts {
  links: number;
  images: number;
  headings: number;
  articles: number;
  mains: number;
  forms: number;
  times: number;
}

/** Copies the first part of the row of the page into the row of every block. */
export class PageWideFeatures implements FeatureFamily {
  /** All features of the page, those of the blocks first. */
  readonly page: Float32Array;

  constructor(tree: HtmlTree, blocks: Blocks, sums: Sums, url: string, best: number) {
    this.page = pageWideFeatures(tree, blocks, sums, url, best);
  }

  write(_index: number, row: Float32Array, at: number): void {
    for (let column = 0; column < PAGE_WIDE_FEATURES.length; column++) row[at + column] = this.page[column]!;
  }
}

function pageWideFeatures(
  tree: HtmlTree,
  { list, firstBlock, lastBlock }: Blocks,
  sums: Sums,
  url: string,
  best: number,
): Float32Array {
  const words = sums.words[list.length]!;
  const counts = countElements(tree);
  const meta = readMeta(tree);
  let dense = 0;
  let digits = 0;
  let priced = 0;
  let chars = 0;
  let bestLong = 0;
  for (let index = 0; index < list.length; index++) {
    const block = list[index]!;
    const { stats } = block;
    dense += stats.dense;
    digits += stats.digits;
    chars += stats.letters + stats.uppers + stats.digits + stats.dense;
    if (stats.words <= 4 && stats.digits > 0 && stats.others > 0) priced += 1;
    if (isLong(block) && index >= firstBlock[best]! && index < lastBlock[best]!) bestLong += 1;
  }
  const { pathname } = pageAddress(tree, url) ?? { pathname: '/' };
  const parts = pathname.split('/').filter((part) => part !== '');
  const values: Record<(typeof PAGE_FEATURES)[number], number> = {
    'page-words': words,
    'page-blocks': list.length,
    'page-link-share': share(sums.linkWords[list.length]!, words),
    'page-long': sums.long[list.length]!,
    'page-long-share': share(sums.longWords[list.length]!, words),
    'page-hidden-share': share(sums.hiddenWords[list.length]!, words),
    'page-item-share': share(wordsWithin(list, FLAG.item), words),
    'page-table-share': share(wordsWithin(list, FLAG.table), words),
    'page-heading-share': share(wordsWithin(list, FLAG.heading), words),
    'page-mean-words': share(words, list.length),
    'page-dense-share': share(dense, chars),
    'page-best-share': share(sums.words[lastBlock[best]!]! - sums.words[firstBlock[best]!]!, words),
    'page-best-long': bestLong,
    'page-links': counts.links,
    'page-images': counts.images,
    'page-headings': counts.headings,
    'page-articles': counts.articles,
    'page-has-main': counts.mains > 0 ? 1 : 0,
    'page-forms': counts.forms,
    'page-time': counts.times,
    'page-digits-share': share(digits, chars),
    'page-price-share': share(priced, list.length),
    'page-article-type': meta.article,
    'page-product-type': meta.product,
    'page-published': meta.published,
    'url-depth': parts.length,
    'url-digits': pathname.replace(/\D/g, '').length,
    'url-words': (parts.at(-1) ?? '').split(/[-_]/).length,
  };
  return Float32Array.from(PAGE_FEATURES, (name) => values[name]);
}

function wordsWithin(list: Blocks['list'], flag: number): number {
  let words = 0;
  for (const { flags, stats } of list) if ((flags & flag) !== 0) words += stats.words;
  return words;
}

function countElements(tree: HtmlTree): Counts {
  const counts: Counts = { links: 0, images: 0, headings: 0, articles: 0, mains: 0, forms: 0, times: 0 };
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const tag = tree.tag[node]!;
    if (tag === TAG.a) counts.links += 1;
    else if (tag === TAG.img) counts.images += 1;
    else if (isHeading(tag)) counts.headings += 1;
    else if (tag === TAG.article) counts.articles += 1;
    else if (tag === TAG.main) counts.mains += 1;
    else if (tag === TAG.form) counts.forms += 1;
    else if (tag === TAG.time) counts.times += 1;
  }
  return counts;
}

function readMeta(tree: HtmlTree): { article: number; product: number; published: number } {
  const meta = { article: 0, product: 0, published: 0 };
  for (let node = 1; node < tree.size && tree.tag[node] !== TAG.body; node++) {
    if (tree.tag[node] !== TAG.meta) continue;
    const name = tree.attribute(node, 'property') ?? tree.attribute(node, 'name') ?? '';
    if (name === 'og:type') {
      const type = tree.attribute(node, 'content') ?? '';
      if (/article|blog|news/i.test(type)) meta.article = 1;
      else if (/product/i.test(type)) meta.product = 1;
    } else if (name === 'article:published_time') meta.published = 1;
    else if (name.startsWith('product:')) meta.product = 1;
  }
  return meta;
}
