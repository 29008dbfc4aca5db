// The numbers that the trained model looks at: 89 for each block, written family by family.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { sumBlocks } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { ANCESTRY_FEATURES, AncestryFeatures } from './ancestry.ts';
import { CONTAINER_FEATURES, ContainerFeatures } from './containers.ts';
import type { FeatureFamily } from './feature-family.ts';
import { OWN_TEXT_FEATURES, OwnTextFeatures } from './own-text.ts';
import { PAGE_WIDE_FEATURES, PageWideFeatures } from './page-wide.ts';
import { SECTION_FEATURES, SectionFeatures } from './sections.ts';
import { SURROUNDING_FEATURES, SurroundingFeatures } from './surroundings.ts';
import { TEMPLATE_FEATURES, TemplateFeatures } from './templates.ts';
import { TITLE_FEATURES, TitleFeatures } from './title.ts';

/** The names of the features in the order of their columns. */
export const FEATURES: readonly string[] = [
  ...OWN_TEXT_FEATURES,
  ...ANCESTRY_FEATURES,
  ...CONTAINER_FEATURES,
  ...SURROUNDING_FEATURES,
  ...SECTION_FEATURES,
  ...TEMPLATE_FEATURES,
  ...TITLE_FEATURES,
  ...PAGE_WIDE_FEATURES,
];

/** From this column on, all blocks of a page have the same values. */
export const PAGE_WIDE_START: number = FEATURES.length - PAGE_WIDE_FEATURES.length;

export interface PageFeatures {
  /** One row of FEATURES for each block. */
  rows: Float32Array;
  /** The features of the page itself. */
  page: Float32Array;
}

/** `memory` may be reused from page to page; it needs room for one row per block. */
export function computeFeatures(
  tree: HtmlTree,
  blocks: Blocks,
  url: string,
  memory = new Float32Array(blocks.list.length * FEATURES.length),
): PageFeatures {
  const rows = memory.subarray(0, blocks.list.length * FEATURES.length);
  const sums = sumBlocks(blocks);
  const containers = new ContainerFeatures(tree, blocks, sums);
  const pageWide = new PageWideFeatures(tree, blocks, sums, url, containers.best);
  // In the order of FEATURES.
  const families: [names: readonly string[], family: FeatureFamily][] = [
    [OWN_TEXT_FEATURES, new OwnTextFeatures(tree, blocks)],
    [ANCESTRY_FEATURES, new AncestryFeatures(blocks)],
    [CONTAINER_FEATURES, containers],
    [SURROUNDING_FEATURES, new SurroundingFeatures(blocks, sums)],
    [SECTION_FEATURES, new SectionFeatures(tree, blocks)],
    [TEMPLATE_FEATURES, new TemplateFeatures(tree, blocks, sums)],
    [TITLE_FEATURES, new TitleFeatures(tree, blocks, sums)],
    [PAGE_WIDE_FEATURES, pageWide],
  ];
  let at = 0;
  for (const [names, family] of families) {
    for (let index = 0; index < blocks.list.length; index++) family.write(index, rows, index * FEATURES.length + at);
    at += names.length;
  }
  return { rows, page: pageWide.page };
}
