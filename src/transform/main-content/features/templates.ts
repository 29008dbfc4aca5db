// Features of repetition: blocks with the same branch path, and sibling items made by one template.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { type Sums, share } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { pathsOf } from '../blocks/branch-paths.ts';
import { columnsOf, type FeatureWriter } from './feature-family.ts';

export const TEMPLATE_FEATURES = [
  'path2-count',
  'path2-share',
  'path4-count',
  'path4-share',
  'path4-mean',
  'path4-link-share',
  'group-size',
  'group-levels',
  'group-share',
  'group-mean',
  'group-long-share',
] as const;
const column = columnsOf(TEMPLATE_FEATURES);

const REPEATED = 3;
const CLIMB = 10;

interface PathGroup {
  count: number;
  words: number;
  linkWords: number;
}

export function createTemplateFeatures(tree: HtmlTree, blocks: Blocks, sums: Sums): FeatureWriter {
  const { list, signature, firstBlock, lastBlock } = blocks;
  const total = sums.words[list.length]!;
  const groupsOf = (levels: number) => {
    const keys = pathsOf(tree, blocks, levels);
    const groups = new Map<number, PathGroup>();
    for (const [index, { stats, linkWords }] of list.entries()) {
      const key = keys[index]!;
      const group = groups.get(key);
      if (group) {
        group.count += 1;
        group.words += stats.words;
        group.linkWords += linkWords;
      } else groups.set(key, { count: 1, words: stats.words, linkWords });
    }
    return (index: number) => groups.get(keys[index]!)!;
  };
  const path2 = groupsOf(2);
  const path4 = groupsOf(4);
  const alike = countAlike(tree, signature);

  return (index, row, at) => {
    const short = path2(index);
    const long = path4(index);
    row[at + column['path2-count']] = short.count;
    row[at + column['path2-share']] = share(short.words, total);
    row[at + column['path4-count']] = long.count;
    row[at + column['path4-share']] = share(long.words, total);
    row[at + column['path4-mean']] = share(long.words, long.count);
    row[at + column['path4-link-share']] = share(long.linkWords, long.words);
    const item = repeatedAncestor(tree, list[index]!.container, alike);
    const parent = item.node > 0 ? tree.parent[item.node]! : 0;
    const first = firstBlock[parent]!;
    const last = lastBlock[parent]!;
    const words = sums.words[last]! - sums.words[first]!;
    row[at + column['group-size']] = item.node > 0 ? item.size : 0;
    row[at + column['group-levels']] = item.levels;
    row[at + column['group-share']] = item.node > 0 ? share(words, total) : 0;
    row[at + column['group-mean']] = item.node > 0 ? share(words, item.size) : 0;
    row[at + column['group-long-share']] =
      item.node > 0 ? share(sums.longWords[last]! - sums.longWords[first]!, words) : 0;
  };
}

/** For each element: how many siblings, itself included, have the same tag and class. */
function countAlike(tree: HtmlTree, signature: Int32Array): Int32Array {
  const counts = new Map<number, number>();
  const keyOf = (node: number) => tree.parent[node]! * 65_536 + (signature[node]! & 0xffff);
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || signature[node] === 0) continue;
    const key = keyOf(node);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const alike = new Int32Array(tree.size);
  for (let node = 1; node < tree.size; node++) {
    if (signature[node] !== 0) alike[node] = counts.get(keyOf(node)) ?? 0;
  }
  return alike;
}

function repeatedAncestor(
  tree: HtmlTree,
  container: number,
  alike: Int32Array,
): { node: number; levels: number; size: number } {
  let node = container;
  for (let levels = 0; levels < CLIMB && node > 0; levels++) {
    if (alike[node]! >= REPEATED) return { node, levels, size: alike[node]! };
    node = tree.parent[node]!;
  }
  return { node: 0, levels: CLIMB, size: 0 };
}
