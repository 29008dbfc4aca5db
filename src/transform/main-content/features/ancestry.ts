// Features of the elements around the block: what they are and what their classes and ids say.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { type Block, type Blocks, levelsToName } from '../blocks/blocks.ts';
import { FEATURE_GROUPS } from '../blocks/name-groups.ts';
import type { FeatureFamily } from './feature-family.ts';

const FLAG_BITS = Object.values(FLAG);
const FLAG_FEATURES = Object.keys(FLAG).map((flag) => `in-${flag}`);
const NAME_FEATURES = FEATURE_GROUPS.map((group) => `named-${group}`);

export const ANCESTRY_FEATURES: readonly string[] = [
  'depth',
  ...FLAG_FEATURES,
  ...NAME_FEATURES,
  'parent-tag',
  'grandparent-tag',
];
const DEPTH = ANCESTRY_FEATURES.indexOf('depth');
const FLAGS = ANCESTRY_FEATURES.indexOf(FLAG_FEATURES[0]!);
const NAMES = ANCESTRY_FEATURES.indexOf(NAME_FEATURES[0]!);
const PARENT_TAG = ANCESTRY_FEATURES.indexOf('parent-tag');
const GRANDPARENT_TAG = ANCESTRY_FEATURES.indexOf('grandparent-tag');

export class AncestryFeatures implements FeatureFamily {
  readonly #tree: HtmlTree;
  readonly #list: readonly Block[];

  constructor(tree: HtmlTree, { list }: Blocks) {
    this.#tree = tree;
    this.#list = list;
  }

  write(index: number, row: Float32Array, at: number): void {
    const tree = this.#tree;
    const block = this.#list[index]!;
    row[at + DEPTH] = block.depth;
    for (let flag = 0; flag < FLAG_BITS.length; flag++)
      row[at + FLAGS + flag] = (block.flags & FLAG_BITS[flag]!) === 0 ? 0 : 1;
    for (let group = 0; group < FEATURE_GROUPS.length; group++) row[at + NAMES + group] = levelsToName(block, group);
    const parent = Math.max(0, tree.parent[block.container]!);
    const grandparent = Math.max(0, tree.parent[parent]!);
    row[at + PARENT_TAG] = Math.min(255, tree.tag[parent]!);
    row[at + GRANDPARENT_TAG] = Math.min(255, tree.tag[grandparent]!);
  }
}
