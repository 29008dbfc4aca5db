// What the elements around the block are and how they are named.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { type Block, levelsToName } from '../blocks/blocks.ts';
import { NAME_GROUPS } from '../blocks/name-groups.ts';

const FLAG_NAMES = Object.keys(FLAG) as (keyof typeof FLAG)[];
const FLAG_BITS = Object.values(FLAG);

export const ANCESTRY_FEATURES = [
  'depth',
  ...FLAG_NAMES.map((name) => `in-${name}`),
  ...NAME_GROUPS.map((group) => `named-${group}`),
  'parent-tag',
  'grandparent-tag',
] as const;

export function ancestryFeatures(block: Block, tree: HtmlTree, row: Float32Array, at: number): void {
  row[at++] = block.depth;
  for (const bit of FLAG_BITS) row[at++] = (block.flags & bit) === 0 ? 0 : 1;
  for (let group = 0; group < NAME_GROUPS.length; group++) row[at++] = levelsToName(block, group);
  const parent = Math.max(0, tree.parent[block.container]!);
  const grandparent = Math.max(0, tree.parent[parent]!);
  row[at++] = Math.min(255, tree.tag[parent]!);
  row[at++] = Math.min(255, tree.tag[grandparent]!);
}
