// Features of the containers: the element that most likely holds the content, found in the way of Readability, and the
// block's own ancestors. Being inside the best container is the strongest feature of all.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { isUnseen, linkShareOf, type Sums, share } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureWriter } from './feature-family.ts';

const LEVELS = 4;
const ANCESTOR_FEATURES = ['words', 'share', 'link-share', 'long-share', 'mean-words'] as const;
const ancestorColumn = columnsOf(ANCESTOR_FEATURES);
const BEST_FEATURES = [
  'best-in',
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

interface ContainerFeatures {
  best: number;
  write: FeatureWriter;
}

export function createContainerFeatures(tree: HtmlTree, blocks: Blocks, sums: Sums): ContainerFeatures {
  const { list, firstBlock, lastBlock } = blocks;
  const wordsIn = (node: number) => sums.words[lastBlock[node]!]! - sums.words[firstBlock[node]!]!;
  const { best, lead } = bestContainer(tree, blocks, sums);
  const total = sums.words[list.length]!;
  const bestShare = share(wordsIn(best), total);
  const bestStart = firstBlock[best]!;
  const bestEnd = lastBlock[best]!;
  const bigMain = largestMain(tree, wordsIn, total);

  return {
    best,
    write(index, row, at) {
      const block = list[index]!;
      const inside = index >= bestStart && index < bestEnd;
      row[at + column['best-in']] = inside ? 1 : 0;
      row[at + column['best-levels']] = levelsTo(tree, block.container, best);
      row[at + column['best-position']] = inside
        ? share(index - bestStart, bestEnd - bestStart)
        : index < bestStart
          ? -share(bestStart - index, list.length)
          : 1 + share(index - bestEnd, list.length);
      row[at + column['best-share']] = bestShare;
      row[at + column['best-lead']] = lead;
      row[at + column['best-own-share']] = share(block.stats.words, wordsIn(best));
      row[at + column['big-main-in']] =
        bigMain > 0 && block.start >= bigMain && block.start < tree.end[bigMain]! ? 1 : bigMain > 0 ? 0 : -1;
      let node = block.container;
      for (let level = 0; level < LEVELS; level++) {
        const start = at + BEST_FEATURES.length + level * ANCESTOR_FEATURES.length;
        node = Math.max(0, tree.parent[node]!);
        const first = firstBlock[node]!;
        const last = lastBlock[node]!;
        const words = sums.words[last]! - sums.words[first]!;
        row[start + ancestorColumn.words] = words;
        row[start + ancestorColumn.share] = share(words, total);
        row[start + ancestorColumn['link-share']] = share(sums.linkWords[last]! - sums.linkWords[first]!, words);
        row[start + ancestorColumn['long-share']] = share(sums.longWords[last]! - sums.longWords[first]!, words);
        row[start + ancestorColumn['mean-words']] = share(words, last - first);
      }
    },
  };
}

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

function largestMain(tree: HtmlTree, wordsIn: (node: number) => number, total: number): number {
  let largest = 0;
  let most = total * 0.3;
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node];
    if (tag !== TAG.main && tag !== TAG.article) continue;
    const words = wordsIn(node);
    if (words > most) {
      most = words;
      largest = node;
    }
  }
  return largest;
}
