// The element that a reader would call the text, found as Readability does, and how the block stands to it and to its own
// ancestors. Being inside that element says more than everything else together.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { FLAG } from '../blocks/block-flags.ts';
import { isUnseen, linkShareOf, type Sums, share } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import type { FeatureWriter } from './writer.ts';

const LEVELS = 4;

export const CONTAINER_FEATURES = [
  'best-in',
  'best-levels',
  'best-position',
  'best-share',
  'best-lead',
  'best-own-share',
  'big-main-in',
  ...Array.from({ length: LEVELS }, (_, level) => [
    `above${level}-words`,
    `above${level}-share`,
    `above${level}-link-share`,
    `above${level}-long-share`,
    `above${level}-mean-words`,
  ]).flat(),
] as const;

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
      row[at++] = inside ? 1 : 0;
      row[at++] = levelsTo(tree, block.container, best);
      row[at++] = inside
        ? share(index - bestStart, bestEnd - bestStart)
        : index < bestStart
          ? -share(bestStart - index, list.length)
          : 1 + share(index - bestEnd, list.length);
      row[at++] = bestShare;
      row[at++] = lead;
      row[at++] = share(block.stats.words, wordsIn(best));
      row[at++] = bigMain > 0 && block.start >= bigMain && block.start < tree.end[bigMain]! ? 1 : bigMain > 0 ? 0 : -1;
      let node = block.container;
      for (let level = 0; level < LEVELS; level++) {
        node = Math.max(0, tree.parent[node]!);
        const first = firstBlock[node]!;
        const last = lastBlock[node]!;
        const words = sums.words[last]! - sums.words[first]!;
        row[at++] = words;
        row[at++] = share(words, total);
        row[at++] = share(sums.linkWords[last]! - sums.linkWords[first]!, words);
        row[at++] = share(sums.longWords[last]! - sums.longWords[first]!, words);
        row[at++] = share(words, last - first);
      }
    },
  };
}

/** Paragraphs give points to their ancestors, links take them away; the best is the text, `lead` how far before the next. */
function bestContainer(
  tree: HtmlTree,
  { list, firstBlock, lastBlock }: Blocks,
  sums: Sums,
): { best: number; lead: number } {
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
  let best = 0;
  let most = 0;
  let second = 0;
  for (const [node, score] of points) {
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

/** How many levels the block must go up until the element is below it. */
function levelsTo(tree: HtmlTree, from: number, target: number): number {
  let levels = 0;
  let node = from;
  while (node > 0 && !(node <= target && target < tree.end[node]!) && !(target <= node && node < tree.end[target]!)) {
    node = tree.parent[node]!;
    levels += 1;
  }
  if (levels > 0) return levels;
  // Inside it (or around it): how deep, as a negative number.
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
