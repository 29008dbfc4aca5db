// The numbers that the trained model looks at: about 130 for each block, written family by family.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { sumBlocks } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { ANCESTRY_FEATURES, createAncestryFeatures } from './ancestry.ts';
import { CONTAINER_FEATURES, createContainerFeatures } from './containers.ts';
import type { FeatureWriter } from './feature-family.ts';
import { createOwnTextFeatures, OWN_TEXT_FEATURES } from './own-text.ts';
import { PAGE_WIDE_FEATURES, pageWideFeatures } from './page-wide.ts';
import { createSectionFeatures, SECTION_FEATURES } from './sections.ts';
import { createSurroundingFeatures, SURROUNDING_FEATURES } from './surroundings.ts';
import { createTemplateFeatures, TEMPLATE_FEATURES } from './templates.ts';
import { createTitleFeatures, TITLE_FEATURES } from './title.ts';

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

export interface PageFeatures {
  /** One row of FEATURES for each block. */
  rows: Float32Array;
  /** The page-wide family alone. */
  page: Float32Array;
}

/** `memory` may be reused from page to page; it needs room for one row per block. */
export function computeFeatures(
  tree: HtmlTree,
  blocks: Blocks,
  url: string,
  memory = new Float32Array(blocks.list.length * FEATURES.length),
): PageFeatures {
  const sums = sumBlocks(blocks);
  const containers = createContainerFeatures(tree, blocks, sums);
  const page = pageWideFeatures(tree, blocks, sums, url, containers.best);
  const families: [names: readonly string[], write: FeatureWriter][] = [
    [OWN_TEXT_FEATURES, createOwnTextFeatures(tree, blocks)],
    [ANCESTRY_FEATURES, createAncestryFeatures(tree, blocks)],
    [CONTAINER_FEATURES, containers.write],
    [SURROUNDING_FEATURES, createSurroundingFeatures(blocks, sums)],
    [SECTION_FEATURES, createSectionFeatures(tree, blocks)],
    [TEMPLATE_FEATURES, createTemplateFeatures(tree, blocks, sums)],
    [TITLE_FEATURES, createTitleFeatures(tree, blocks, sums)],
    [PAGE_WIDE_FEATURES, (_index, row, at) => row.set(page, at)],
  ];
  const rows = memory.subarray(0, blocks.list.length * FEATURES.length);
  let at = 0;
  for (const [names, write] of families) {
    for (let index = 0; index < blocks.list.length; index++) write(index, rows, index * FEATURES.length + at);
    at += names.length;
  }
  return { rows, page };
}
