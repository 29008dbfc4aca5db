// Features of repetition: blocks with the same branch path, and sibling items made by one template.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { type Sums, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { pathsOf } from '../blocks/branch-paths.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

export const TEMPLATE_FEATURES = [
  'path2-count',
  'path2-share',
  'path4-count',
  'path4-share',
  'path4-mean',
  'group-share',
  'group-mean',
  'group-long-share',
] as const;
const column = columnsOf(TEMPLATE_FEATURES);

const REPEATED = 3;
const CLIMB = 10;

export class TemplateFeatures implements FeatureFamily {
  readonly #tree: HtmlTree;
  readonly #blocks: Blocks;
  readonly #sums: Sums;
  readonly #path2: PathGroups;
  readonly #path4: PathGroups;
  readonly #alike: Int32Array;

  constructor(tree: HtmlTree, blocks: Blocks, sums: Sums) {
    this.#tree = tree;
    this.#blocks = blocks;
    this.#sums = sums;
    this.#path2 = new PathGroups(tree, blocks, 2);
    this.#path4 = new PathGroups(tree, blocks, 4);
    this.#alike = countAlike(tree, blocks.signature);
  }

  write(index: number, row: Float32Array, at: number): void {
    const total = this.#sums.words[this.#blocks.list.length]!;
    const short = this.#path2.groupOf(index);
    const long = this.#path4.groupOf(index);
    row[at + column['path2-count']] = short.count;
    row[at + column['path2-share']] = share(short.words, total);
    row[at + column['path4-count']] = long.count;
    row[at + column['path4-share']] = share(long.words, total);
    row[at + column['path4-mean']] = share(long.words, long.count);
    this.#writeGroup(index, row, at, total);
  }

  /** The innermost ancestor with at least REPEATED equal siblings, and the parent they share. */
  #writeGroup(index: number, row: Float32Array, at: number, total: number): void {
    const { list, firstBlock, lastBlock } = this.#blocks;
    const tree = this.#tree;
    let item = list[index]!.container;
    let levels = 0;
    while (levels < CLIMB && item > 0 && this.#alike[item]! < REPEATED) {
      item = tree.parent[item]!;
      levels += 1;
    }
    if (levels === CLIMB || item <= 0) {
      row[at + column['group-share']] = 0;
      row[at + column['group-mean']] = 0;
      row[at + column['group-long-share']] = 0;
      return;
    }
    const { words, longWords } = this.#sums;
    const parent = tree.parent[item]!;
    const first = firstBlock[parent]!;
    const last = lastBlock[parent]!;
    const inside = words[last]! - words[first]!;
    row[at + column['group-share']] = share(inside, total);
    row[at + column['group-mean']] = share(inside, this.#alike[item]!);
    row[at + column['group-long-share']] = share(longWords[last]! - longWords[first]!, inside);
  }
}

interface PathGroup {
  count: number;
  words: number;
}

/** Sums over the blocks with the same branch path. */
class PathGroups {
  readonly #paths: Int32Array;
  readonly #groups = new Map<number, PathGroup>();

  constructor(tree: HtmlTree, blocks: Blocks, levels: number) {
    this.#paths = pathsOf(tree, blocks, levels);
    const { list } = blocks;
    for (let index = 0; index < list.length; index++) this.#add(this.#paths[index]!, list[index]!);
  }

  groupOf(index: number): PathGroup {
    return this.#groups.get(this.#paths[index]!)!;
  }

  #add(path: number, { stats }: Block): void {
    const group = this.#groups.get(path);
    if (group) {
      group.count += 1;
      group.words += stats.words;
    } else this.#groups.set(path, { count: 1, words: stats.words });
  }
}

/** For each element: how many siblings, itself included, have the same tag and class. */
function countAlike(tree: HtmlTree, signature: Int32Array): Int32Array {
  const counts = new Map<number, number>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || signature[node] === 0) continue;
    const key = siblingKey(tree, signature, node);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const alike = new Int32Array(tree.size);
  for (let node = 1; node < tree.size; node++) {
    if (signature[node] !== 0) alike[node] = counts.get(siblingKey(tree, signature, node)) ?? 0;
  }
  return alike;
}

const siblingKey = (tree: HtmlTree, signature: Int32Array, node: number): number =>
  tree.parent[node]! * 65_536 + (signature[node]! & 0xffff);
