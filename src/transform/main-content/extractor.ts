// Decides which blocks of a page are its content, and how certain that is: trees give each block a probability, text
// that JSON-LD states raises it, and the set with the highest expected F1 is kept.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { containsText, type StatedText } from './article-json-ld.ts';
import { isConcealed } from './blocks/block-sums.ts';
import { type Block, type Blocks, collectBlocks } from './blocks/blocks.ts';
import { pathsOf } from './blocks/branch-paths.ts';
import { computeFeatures, FEATURES } from './features/features.ts';
import { decodeBlocks } from './model/decode.ts';
import { classProbabilities, probabilities } from './model/ensemble.ts';
import type { Model } from './model/model.ts';
import { PAGE_TYPES, pageTypeRow } from './model/page-type.ts';
import { smooth } from './model/smooth.ts';

export interface Extraction {
  blocks: Blocks;
  /** 1 for each block that is content. */
  keep: Uint8Array;
  /** Expected F1 of the choice: 0 if nothing was found, near 1 for a plain article. */
  quality: number;
}

export type Extractor = (tree: HtmlTree, url: string, structured: StatedText | undefined) => Extraction;

const ARTICLE = PAGE_TYPES.indexOf('article');
// Real pages have fewer. The features of a larger page would exhaust the memory.
const MAX_BLOCKS = 20_000;
const COPY_WORDS = 4;
// Text that the site itself declares as the article is almost certainly content.
const STATED = 0.95;
const STATED_WORDS = 5;
// If fewer than this share of the kept words is visible, the page hides its content until a script shows it.
const VISIBLE_SHARE = 0.5;

export function createExtractor(model: Model): Extractor {
  // Reused from page to page, since this is most of the memory a page needs. It grows with the largest page.
  let memory = new Float32Array(0);
  return (tree, url, structured) => {
    const blocks = collectBlocks(tree);
    if (blocks.list.length > MAX_BLOCKS) return { blocks, keep: new Uint8Array(blocks.list.length), quality: 0 };
    const needed = blocks.list.length * FEATURES.length;
    if (memory.length < needed) memory = new Float32Array(needed);
    const { rows, page } = computeFeatures(tree, blocks, url, memory);
    const probability = probabilities(model.blocks, rows, FEATURES.length);
    if (structured) trustStatedText(tree, blocks.list, structured, probability);
    const pArticle = classProbabilities(model.pageTypes, pageTypeRow(blocks, page, probability))[ARTICLE]!;
    const words = Float64Array.from(blocks.list, ({ stats }) => stats.words);
    const { keep, expectedF1 } = decodeBlocks(smooth(probability, words, pathsOf(tree, blocks)), words, pArticle);
    dropRepeatedAndUnseen(blocks.list, keep);
    return { blocks, keep, quality: expectedF1 };
  };
}

function trustStatedText(tree: HtmlTree, list: Block[], structured: StatedText, probability: Float64Array): void {
  for (const [index, block] of list.entries()) {
    if (block.stats.words < STATED_WORDS || probability[index]! >= STATED) continue;
    if (containsText(structured, tree, block)) probability[index] = STATED;
  }
}

/** The part of a block that the last step needs, so that training can run it too. */
export interface ChosenBlock {
  readonly stats: { readonly words: number; readonly hash: number };
  readonly flags: number;
}

export function dropRepeatedAndUnseen(list: readonly ChosenBlock[], keep: Uint8Array): void {
  dropCopies(list, keep);
  dropUnseen(list, keep);
}

/** Drops repeated text: responsive layouts contain whole parts of a page twice. */
function dropCopies(list: readonly ChosenBlock[], keep: Uint8Array): void {
  const seen = new Set<number>();
  for (const [index, { stats }] of list.entries()) {
    if (keep[index] === 0 || stats.words < COPY_WORDS) continue;
    if (seen.has(stats.hash)) keep[index] = 0;
    seen.add(stats.hash);
  }
}

/** Drops text that a reader cannot see, unless that is where the page keeps its content. */
function dropUnseen(list: readonly ChosenBlock[], keep: Uint8Array): void {
  let visible = 0;
  let all = 0;
  for (const [index, block] of list.entries()) {
    if (keep[index] === 0) continue;
    all += block.stats.words;
    if (!isConcealed(block)) visible += block.stats.words;
  }
  if (visible < all * VISIBLE_SHARE) return;
  for (const [index, block] of list.entries()) if (isConcealed(block)) keep[index] = 0;
}
