// What the trees are asked about a block: about 130 numbers, family by family, always in the order of FEATURES.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { sumBlocks } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { ANCESTRY_FEATURES, ancestryFeatures } from './ancestry.ts';
import { CONTAINER_FEATURES, createContainerFeatures } from './containers.ts';
import { OWN_FEATURES, ownFeatures } from './own-text.ts';
import { PAGE_FEATURES, pageFeatures } from './page-wide.ts';
import { createSectionFeatures, SECTION_FEATURES } from './sections.ts';
import { createSurroundingFeatures, SURROUNDING_FEATURES } from './surroundings.ts';
import { createTemplateFeatures, TEMPLATE_FEATURES } from './templates.ts';
import { createTitleFeatures, TITLE_FEATURES } from './title.ts';
import type { FeatureWriter } from './writer.ts';

export const FEATURES: readonly string[] = [
  ...OWN_FEATURES,
  ...ANCESTRY_FEATURES,
  ...CONTAINER_FEATURES,
  ...SURROUNDING_FEATURES,
  ...SECTION_FEATURES,
  ...TEMPLATE_FEATURES,
  ...TITLE_FEATURES,
  ...PAGE_FEATURES,
];

export interface PageFeatures {
  /** One row of FEATURES for each block. */
  rows: Float32Array;
  /** What holds for the whole page, in the order of PAGE_FEATURES. */
  page: Float32Array;
}

/** `memory` may be given to be used again; it must have room for a row a block. */
export function computeFeatures(
  tree: HtmlTree,
  blocks: Blocks,
  url: string,
  memory = new Float32Array(blocks.list.length * FEATURES.length),
): PageFeatures {
  const sums = sumBlocks(blocks);
  const containers = createContainerFeatures(tree, blocks, sums);
  const page = pageFeatures(tree, blocks, sums, url, containers.best);
  const families: [number, FeatureWriter][] = [
    [OWN_FEATURES.length, (index, row, at) => ownFeatures(blocks.list[index]!, tree, row, at)],
    [ANCESTRY_FEATURES.length, (index, row, at) => ancestryFeatures(blocks.list[index]!, tree, row, at)],
    [CONTAINER_FEATURES.length, containers.write],
    [SURROUNDING_FEATURES.length, createSurroundingFeatures(blocks, sums)],
    [SECTION_FEATURES.length, createSectionFeatures(tree, blocks)],
    [TEMPLATE_FEATURES.length, createTemplateFeatures(tree, blocks, sums)],
    [TITLE_FEATURES.length, createTitleFeatures(tree, blocks, sums)],
    [PAGE_FEATURES.length, (_index, row, at) => row.set(page, at)],
  ];
  const rows = memory.subarray(0, blocks.list.length * FEATURES.length);
  let at = 0;
  for (const [count, write] of families) {
    for (let index = 0; index < blocks.list.length; index++) write(index, rows, index * FEATURES.length + at);
    at += count;
  }
  return { rows, page };
}
