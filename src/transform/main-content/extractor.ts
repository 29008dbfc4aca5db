// Which blocks of a page are its content, and how sure that is: the trees give each block a probability, JSON-LD adds what
// it knows, and the set with the highest expected F1 is kept.
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
  /** Expected F1 of the choice: 0 for nothing found, near 1 for a plain article. */
  quality: number;
}

export type Extractor = (tree: HtmlTree, url: string, structured: StatedText | undefined) => Extraction;

const ARTICLE = PAGE_TYPES.indexOf('article');
// No text has more; the features of a page that does would fill the memory.
const MAX_BLOCKS = 20_000;
const COPY_WORDS = 4;
// What the site itself calls the text of the article is the text of the article.
const STATED = 0.95;
const STATED_WORDS = 5;
// Below this share of visible words, the page keeps its content out of sight until a script shows it.
const VISIBLE_SHARE = 0.5;

export function createExtractor(model: Model): Extractor {
  // The rows of the largest page so far: a thread reads one page at a time, and this is most of what a page takes.
  let memory = new Float32Array(0);
  return (tree, url, structured) => {
    const blocks = collectBlocks(tree);
    if (blocks.list.length > MAX_BLOCKS) return { blocks, keep: new Uint8Array(blocks.list.length), quality: 0 };
    const needed = blocks.list.length * FEATURES.length;
    if (memory.length < needed) memory = new Float32Array(needed);
    const { rows, page } = computeFeatures(tree, blocks, url, memory);
    const probability = probabilities(model.blocks, rows, FEATURES.length);
    if (structured) heedStatement(tree, blocks.list, structured, probability);
    const pArticle = classProbabilities(model.pageTypes, pageTypeRow(blocks, page, probability))[ARTICLE]!;
    const words = Float64Array.from(blocks.list, ({ stats }) => stats.words);
    const { keep, expectedF1 } = decodeBlocks(smooth(probability, words, pathsOf(tree, blocks)), words, pArticle);
    dropRepeatedAndUnseen(blocks.list, keep);
    return { blocks, keep, quality: expectedF1 };
  };
}

function heedStatement(tree: HtmlTree, list: Block[], structured: StatedText, probability: Float64Array): void {
  for (const [index, block] of list.entries()) {
    if (block.stats.words < STATED_WORDS || probability[index]! >= STATED) continue;
    if (containsText(structured, tree, block)) probability[index] = STATED;
  }
}

/** What the last step needs to know of a block, so that training can take it too. */
export interface ChosenBlock {
  readonly stats: { readonly words: number; readonly hash: number };
  readonly flags: number;
}

export function dropRepeatedAndUnseen(list: readonly ChosenBlock[], keep: Uint8Array): void {
  dropCopies(list, keep);
  dropUnseen(list, keep);
}

/** The same text once is enough: responsive layouts repeat whole parts of a page. */
function dropCopies(list: readonly ChosenBlock[], keep: Uint8Array): void {
  const seen = new Set<number>();
  for (const [index, { stats }] of list.entries()) {
    if (keep[index] === 0 || stats.words < COPY_WORDS) continue;
    if (seen.has(stats.hash)) keep[index] = 0;
    seen.add(stats.hash);
  }
}

/** Text that a reader cannot see goes, unless the page holds its real content there. */
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
