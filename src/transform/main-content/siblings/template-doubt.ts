// Weighs how likely a block is content once it is known that its text stands on other pages of the site: by trees that are
// trained on pages with siblings, because what repeats is furniture in an article, and often content in a catalogue.
import { FLAG } from '../blocks/block-flags.ts';
import type { BlockTable } from '../blocks/block-table.ts';
import { PAGE_TYPES, type PageTypeOdds } from '../model/page-type.ts';
import type { Predictor } from '../model/predictor.ts';
import type { SiblingShares } from './sibling-shares.ts';

const FLAG_NAMES = Object.keys(FLAG);
const FLAG_BITS = Object.values(FLAG);

/** The columns of the trees. */
export const SIBLING_FEATURES: readonly string[] = [
  'share',
  'count',
  'logit',
  'words',
  'page-share',
  'content-share',
  'near-share',
  'path-share',
  'parent-share',
  ...PAGE_TYPES.map((type) => `type-${type}`),
  ...FLAG_NAMES.map((name) => `flag-${name}`),
];

/** What stands on fewer of the siblings may be a quotation, or was put there by somebody who wants it to disappear here. */
const MOST = 0.5;

/** All other blocks are as likely as before. */
export const isDoubted = ({ shares }: SiblingShares, index: number): boolean => shares[index]! >= MOST;

/** What is added to the log odds of each block. */
export function templateDoubt(
  predict: Predictor,
  table: BlockTable,
  probability: Float64Array,
  odds: PageTypeOdds,
  siblings: SiblingShares,
): Float64Array {
  const doubted = doubtedBlocks(siblings);
  const change = predict(siblingRows(table, probability, odds, siblings, doubted));
  const doubt = new Float64Array(siblings.shares.length);
  for (const [at, index] of doubted.entries()) doubt[index] = logit(change[at]!);
  return doubt;
}

function doubtedBlocks(siblings: SiblingShares): number[] {
  const doubted: number[] = [];
  for (let index = 0; index < siblings.shares.length; index++) if (isDoubted(siblings, index)) doubted.push(index);
  return doubted;
}

export const withDoubt = (probability: Float64Array, doubt: Float64Array): Float64Array =>
  probability.map((before, index) =>
    doubt[index] === 0 ? before : 1 / (1 + Math.exp(-logit(before) - doubt[index]!)),
  );

/** How many blocks before and after count as near. */
const NEAR = 3;
/** Blocks without words count a little, too. */
const LEAST_WORDS = 0.5;

/** One row for each of the asked blocks. */
export function siblingRows(
  table: BlockTable,
  probability: Float64Array,
  odds: PageTypeOdds,
  { count, shares }: SiblingShares,
  asked: readonly number[],
): Float32Array {
  const { words, paths, parents, flags } = table;
  const weights = words.map((each) => each + LEAST_WORDS);
  const all = meanOf(shares, weights, 0, shares.length);
  const content = meanOf(
    shares,
    words.map((each, index) => each * probability[index]!),
    0,
    shares.length,
  );
  const byPath = groupMeans(paths, shares, weights);
  const byParent = groupMeans(parents, shares, weights);
  const types = PAGE_TYPES.map((type) => odds[type]);
  const rows = new Float32Array(asked.length * SIBLING_FEATURES.length);
  let at = 0;
  for (const index of asked) {
    rows[at++] = shares[index]!;
    rows[at++] = count;
    rows[at++] = logit(probability[index]!);
    rows[at++] = words[index]!;
    rows[at++] = all;
    rows[at++] = content;
    rows[at++] = meanOf(shares, weights, Math.max(0, index - NEAR), Math.min(shares.length, index + NEAR + 1));
    rows[at++] = byPath.get(paths[index]!)!;
    rows[at++] = byParent.get(parents[index]!)!;
    for (const type of types) rows[at++] = type;
    for (const bit of FLAG_BITS) rows[at++] = (flags[index]! & bit) === 0 ? 0 : 1;
  }
  return rows;
}

const CERTAINTY = 1e-6;

export function logit(probability: number): number {
  const bounded = Math.min(1 - CERTAINTY, Math.max(CERTAINTY, probability));
  return Math.log(bounded / (1 - bounded));
}

function meanOf(values: Float64Array, weights: Float64Array, start: number, end: number): number {
  let [sum, weight] = [0, 0];
  for (let index = start; index < end; index++) {
    sum += values[index]! * weights[index]!;
    weight += weights[index]!;
  }
  return weight > 0 ? sum / weight : 0;
}

function groupMeans(groups: Int32Array, values: Float64Array, weights: Float64Array): Map<number, number> {
  const sums = new Map<number, { sum: number; weight: number }>();
  for (let index = 0; index < groups.length; index++) {
    const group = sums.get(groups[index]!) ?? { sum: 0, weight: 0 };
    group.sum += values[index]! * weights[index]!;
    group.weight += weights[index]!;
    sums.set(groups[index]!, group);
  }
  return new Map(Array.from(sums, ([group, { sum, weight }]) => [group, sum / weight]));
}
