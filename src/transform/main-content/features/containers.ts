// Features of the containers: the element that most likely holds the content, found in the way of Readability, and the
// block's own ancestors. How far the block is from the best container is the strongest feature of all.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { isUnseen, linkShareOf, type Sums, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

const LEVELS = 4;
const ANCESTOR_FEATURES = ['share', 'link-share', 'mean-words'] as const;
const ancestorColumn = columnsOf(ANCESTOR_FEATURES);
const BEST_FEATURES = [
  'best-levels',
  'best-position',
  'best-share',
  'best-lead',
  'best-own-share',
  'big-main-in',
] as const;
const column = columnsOf(BEST_FEATURES);

export const CONTAINER_FEATURES: readonly string[] = [
  ...BEST_FEATURES,
  ...Array.from({ length: LEVELS }, (_, level) => ANCESTOR_FEATURES.map((name) => `above${level}-${name}`)).flat(),
];

const PASS_UP = 5;
const MIN_WORDS = 5;
const isPoor = tagSet('ul ol dl li dt dd form address h1 h2 h3 h4 h5 h6 th nav footer aside header');
const isRich = tagSet('pre td blockquote');
const UNLIKELY = FLAG.nav | FLAG.footer | FLAG.aside | FLAG.form | FLAG.dialog | FLAG.menu;

export class ContainerFeatures implements FeatureFamily {
  /** The element that most likely holds the content; 0 if no element scores. */
  readonly best: number;
  readonly #lead: number;
  readonly #bigMain: number;
  readonly #tree: HtmlTree;
  readonly #blocks: Blocks;
  readonly #sums: Sums;

  constructor(tree: HtmlTree, blocks: Blocks, sums: Sums) {
    this.#tree = tree;
    this.#blocks = blocks;
    this.#sums = sums;
    const { best, lead } = bestContainer(tree, blocks, sums);
    this.best = best;
    this.#lead = lead;
    this.#bigMain = largestMain(tree, blocks, sums);
  }

  write(index: number, row: Float32Array, at: number): void {
    const { list, firstBlock, lastBlock } = this.#blocks;
    const block = list[index]!;
    const bestStart = firstBlock[this.best]!;
    const bestEnd = lastBlock[this.best]!;
    const bestWords = wordsIn(this.best, this.#blocks, this.#sums);
    const inside = index >= bestStart && index < bestEnd;
    row[at + column['best-levels']] = levelsTo(this.#tree, block.container, this.best);
    row[at + column['best-position']] = inside
      ? share(index - bestStart, bestEnd - bestStart)
      : index < bestStart
        ? -share(bestStart - index, list.length)
        : 1 + share(index - bestEnd, list.length);
    row[at + column['best-share']] = share(bestWords, this.#sums.words[list.length]!);
    row[at + column['best-lead']] = this.#lead;
    row[at + column['best-own-share']] = share(block.stats.words, bestWords);
    row[at + column['big-main-in']] = this.#isInBigMain(block);
    this.#writeAncestors(block, row, at + BEST_FEATURES.length);
  }

  #isInBigMain({ start }: Block): number {
    if (this.#bigMain === 0) return -1;
    return start >= this.#bigMain && start < this.#tree.end[this.#bigMain]! ? 1 : 0;
  }

  #writeAncestors({ container }: Block, row: Float32Array, at: number): void {
    const { list, firstBlock, lastBlock } = this.#blocks;
    const sums = this.#sums;
    const total = sums.words[list.length]!;
    let node = container;
    for (let level = 0; level < LEVELS; level++) {
      const start = at + level * ANCESTOR_FEATURES.length;
      node = Math.max(0, this.#tree.parent[node]!);
      const first = firstBlock[node]!;
      const last = lastBlock[node]!;
      const words = sums.words[last]! - sums.words[first]!;
      row[start + ancestorColumn.share] = share(words, total);
      row[start + ancestorColumn['link-share']] = share(sums.linkWords[last]! - sums.linkWords[first]!, words);
      row[start + ancestorColumn['mean-words']] = share(words, last - first);
    }
  }
}

const wordsIn = (node: number, { firstBlock, lastBlock }: Blocks, { words }: Sums): number =>
  words[lastBlock[node]!]! - words[firstBlock[node]!]!;

/** Paragraphs score points for their ancestors, links cost some. `lead` is the runner-up's share of the best score. */
function bestContainer(
  tree: HtmlTree,
  { list, firstBlock, lastBlock }: Blocks,
  sums: Sums,
): { best: number; lead: number } {
  let best = 0;
  let most = 0;
  let second = 0;
  for (const [node, score] of scoreContainers(tree, list)) {
    const tag = tree.tag[node]!;
    const words = sums.words[lastBlock[node]!]! - sums.words[firstBlock[node]!]!;
    const links = share(sums.linkWords[lastBlock[node]!]! - sums.linkWords[firstBlock[node]!]!, words);
    const weighed = (score + (isRich(tag) ? 3 : isPoor(tag) ? -3 : 0)) * (1 - links);
    if (weighed > most) {
      second = most;
      most = weighed;
      best = node;
    } else if (weighed > second) second = weighed;
  }
  return { best, lead: share(second, most) };
}

function scoreContainers(tree: HtmlTree, list: Blocks['list']): Map<number, number> {
  const points = new Map<number, number>();
  for (const block of list) {
    if (block.stats.words < MIN_WORDS || (block.flags & UNLIKELY) !== 0 || (isUnseen(block) && block.stats.words < 40))
      continue;
    const { stats } = block;
    const score = (1 + stats.commas + Math.min(3, stats.words / 20)) * (1 - linkShareOf(block));
    let node = tree.tag[block.container] === TAG.body ? block.container : Math.max(0, tree.parent[block.container]!);
    for (let level = 0; level < PASS_UP && node > 0; level++) {
      points.set(node, (points.get(node) ?? 0) + score / (level === 0 ? 1 : level === 1 ? 2 : level * 3));
      node = tree.parent[node]!;
    }
  }
  return points;
}

/** Levels up to the closest common ancestor with the target; negative inside the target: how deep. */
function levelsTo(tree: HtmlTree, from: number, target: number): number {
  let levels = 0;
  let node = from;
  while (node > 0 && !(node <= target && target < tree.end[node]!) && !(target <= node && node < tree.end[target]!)) {
    node = tree.parent[node]!;
    levels += 1;
  }
  if (levels > 0) return levels;
  // Inside the target, or around it.
  let depth = 0;
  for (let above = from; above > target; above = tree.parent[above]!) depth += 1;
  return -depth;
}

function largestMain(tree: HtmlTree, blocks: Blocks, sums: Sums): number {
  let largest = 0;
  let most = sums.words[blocks.list.length]! * 0.3;
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node];
    if (tag !== TAG.main && tag !== TAG.article) continue;
    const words = wordsIn(node, blocks, sums);
    if (words > most) {
      most = words;
      largest = node;
    }
  }
  return largest;
}
