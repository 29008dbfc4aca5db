// Decides which blocks of a page are its content, and how certain that is: trees give each block a probability, text that
// JSON-LD states raises it, what the pages of the site have in common is doubted, and the set with the highest expected F1 is
// chosen.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageSite } from '../../page/site-memory.ts';
import { lazy } from '../../util/lazy.ts';
import { containsText, type StatedText } from './article-json-ld.ts';
import { type BlockTable, tabulateBlocks } from './blocks/block-table.ts';
import { type Block, type Blocks, createBlockCollector } from './blocks/blocks.ts';
import { type Choice, chooseBlocks } from './choice/choice.ts';
import { computeFeatures, FEATURES, PAGE_WIDE_START } from './features/features.ts';
import type { Model } from './model/model.ts';
import { PAGE_TYPE_COLUMNS, pageTypeOdds, pageTypeRow } from './model/page-type.ts';
import { createClassifier, createPredictor } from './model/predictor.ts';
import { readSiblings, type SiblingShares } from './siblings/sibling-shares.ts';
import { SIBLING_FEATURES, templateDoubt } from './siblings/template-doubt.ts';

export interface Extraction extends Choice {
  blocks: Blocks;
  table: BlockTable;
  /** Pages of the same site that informed the choice. */
  siblings?: SiblingShares;
}

export type Extractor = (
  tree: HtmlTree,
  url: string,
  structured: StatedText | undefined,
  site?: PageSite,
) => Extraction;

// Real pages have fewer. The features of a larger page would exhaust the memory.
const MAX_BLOCKS = 20_000;
// Text that the site itself declares as the article is almost certainly content.
const STATED = 0.95;
const STATED_WORDS = 5;

export function createExtractor(model: Model): Extractor {
  const predict = createPredictor(model.blocks, FEATURES.length, PAGE_WIDE_START);
  const classify = createClassifier(model.pageTypes, PAGE_TYPE_COLUMNS);
  const predictDoubt = lazy(() => createPredictor(model.siblings, SIBLING_FEATURES.length));
  const collectBlocks = createBlockCollector();
  // Reused from page to page, since this is most of the memory a page needs. It grows with the largest page.
  let memory = new Float32Array(0);
  return (tree, url, structured, site) => {
    const blocks = collectBlocks(tree);
    const count = blocks.list.length;
    const table = tabulateBlocks(tree, blocks);
    if (count > MAX_BLOCKS)
      return { blocks, table, keep: new Uint8Array(count), quality: 0, probability: new Float64Array(count) };
    const needed = count * FEATURES.length;
    if (memory.length < needed) memory = new Float32Array(needed);
    const { rows, page } = computeFeatures(tree, blocks, url, memory);
    const probability = predict(rows);
    if (structured) trustStatedText(tree, blocks.list, structured, probability);
    const odds = pageTypeOdds(classify(pageTypeRow(table, page, probability)));
    const siblings = site && readSiblings(table, probability, site);
    if (!siblings) return { blocks, table, ...chooseBlocks(table, probability, odds) };
    const doubt = templateDoubt(predictDoubt(), table, probability, odds, siblings);
    return { blocks, table, siblings, ...chooseBlocks(table, probability, odds, doubt) };
  };
}

function trustStatedText(tree: HtmlTree, list: Block[], structured: StatedText, probability: Float64Array): void {
  for (const [index, block] of list.entries()) {
    if (block.stats.words < STATED_WORDS || probability[index]! >= STATED) continue;
    if (containsText(structured, tree, block)) probability[index] = STATED;
  }
}
