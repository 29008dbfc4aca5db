// Grows one regression tree on gradients, leaf-wise: the leaf with the most gain is split next.
import type { BinnedMatrix } from './bins.ts';
import { addLeaf, type Ensemble, splitLeaf } from './ensemble.ts';
import {
  type Derivatives,
  FEATURE_STRIDE,
  fillHistogram,
  hessianUnits,
  histogramLength,
  rowCount,
  subtractHistogram,
} from './histogram.ts';

export interface TreeParams {
  readonly leaves: number;
  readonly learningRate: number;
  readonly minLeafRows: number;
  readonly l2: number;
  /** Columns that may be used; all by default. */
  readonly features?: readonly number[];
}

// Children with less curvature than this carry no information.
const MIN_HESSIAN = 1e-3;

interface Split {
  feature: number;
  bin: number;
  gain: number;
}

interface Leaf {
  node: number;
  /** Its rows are order[from] ... order[to - 1]. */
  from: number;
  to: number;
  gradient: number;
  hessian: number;
  histogram: Float64Array;
  best: Split | undefined;
}

/** Shared by the trees of one training; the buffers are reused by every tree. */
export interface Grower {
  /** Adds a tree to the ensemble and its leaf values to scores[row * stride + offset] of the rows in use. */
  grow(derivatives: Derivatives, scores: Float64Array, stride: number, offset: number): void;
}

export function createGrower(
  data: BinnedMatrix,
  rowsInUse: Int32Array,
  params: TreeParams,
  ensemble: Ensemble,
): Grower {
  const features = params.features ?? Array.from({ length: data.columns }, (_, column) => column);
  const groups = [...new Set(features.map((feature) => feature >> 2))];
  const order = new Int32Array(rowsInUse.length);
  const aside = new Int32Array(rowsInUse.length);
  const scratch = { gradient: new Float64Array(rowsInUse.length), packed: new Float64Array(rowsInUse.length) };
  const pool: Float64Array[] = [];

  const fill = (leaf: Leaf, derivatives: Derivatives) =>
    fillHistogram(data, groups, order.subarray(leaf.from, leaf.to), derivatives, scratch, leaf.histogram);

  const newLeaf = (node: number, from: number, to: number, histogram: Float64Array): Leaf => ({
    node,
    from,
    to,
    gradient: 0,
    hessian: 0,
    histogram,
    best: undefined,
  });

  const takeHistogram = () => pool.pop() ?? new Float64Array(histogramLength(data));

  const judge = (leaf: Leaf, derivatives: Derivatives) => {
    sumLeaf(leaf, features[0]!, derivatives);
    leaf.best = bestSplit(data, features, leaf, derivatives, params);
  };

  const splitInTwo = (leaf: Leaf, { feature, bin, gain }: Split, derivatives: Derivatives): [Leaf, Leaf] => {
    const middle = partition(data, feature, bin, order, aside, leaf.from, leaf.to);
    const [left, right] = splitLeaf(ensemble, leaf.node, feature, data.cuts[feature]![bin]!);
    ensemble.gain[feature]! += gain;
    const leftIsSmaller = middle - leaf.from <= leaf.to - middle;
    const fresh = takeHistogram();
    const children: [Leaf, Leaf] = [
      newLeaf(left, leaf.from, middle, leftIsSmaller ? fresh : leaf.histogram),
      newLeaf(right, middle, leaf.to, leftIsSmaller ? leaf.histogram : fresh),
    ];
    fill(leftIsSmaller ? children[0] : children[1], derivatives);
    subtractHistogram(leaf.histogram, fresh);
    for (const child of children) judge(child, derivatives);
    return children;
  };

  return {
    grow(derivatives, scores, stride, offset) {
      order.set(rowsInUse);
      const root = newLeaf(addLeaf(ensemble), 0, order.length, takeHistogram());
      ensemble.roots.push(root.node);
      fill(root, derivatives);
      judge(root, derivatives);
      const leaves = [root];
      while (leaves.length < params.leaves) {
        const at = mostPromising(leaves);
        const leaf = leaves[at]!;
        if (!leaf.best) break;
        leaves.splice(at, 1, ...splitInTwo(leaf, leaf.best, derivatives));
      }
      for (const leaf of leaves) {
        const value = Math.fround((-params.learningRate * leaf.gradient) / (leaf.hessian + params.l2));
        ensemble.value[leaf.node] = value;
        for (let i = leaf.from; i < leaf.to; i++) scores[order[i]! * stride + offset]! += value;
        pool.push(leaf.histogram);
      }
    },
  };
}

function mostPromising(leaves: readonly Leaf[]): number {
  let found = 0;
  for (let i = 1; i < leaves.length; i++) {
    if ((leaves[i]!.best?.gain ?? 0) > (leaves[found]!.best?.gain ?? 0)) found = i;
  }
  return found;
}

/** The bins of any one feature add up to the whole leaf. */
function sumLeaf(leaf: Leaf, feature: number, { gradientUnit, hessianUnit }: Derivatives): void {
  let gradient = 0;
  let packed = 0;
  for (let at = feature * FEATURE_STRIDE; at < (feature + 1) * FEATURE_STRIDE; at += 2) {
    gradient += leaf.histogram[at]!;
    packed += leaf.histogram[at + 1]!;
  }
  leaf.gradient = gradient * gradientUnit;
  leaf.hessian = hessianUnits(packed) * hessianUnit;
}

function bestSplit(
  { cuts }: BinnedMatrix,
  features: readonly number[],
  leaf: Leaf,
  { gradientUnit, hessianUnit }: Derivatives,
  { minLeafRows, l2 }: TreeParams,
): Split | undefined {
  const rows = leaf.to - leaf.from;
  const unsplit = leaf.gradient ** 2 / (leaf.hessian + l2);
  let best: Split | undefined;
  if (rows < 2 * minLeafRows) return best;
  for (const feature of features) {
    let gradientSum = 0;
    let packedSum = 0;
    for (let bin = 0; bin < cuts[feature]!.length; bin++) {
      const at = feature * FEATURE_STRIDE + bin * 2;
      gradientSum += leaf.histogram[at]!;
      packedSum += leaf.histogram[at + 1]!;
      const leftRows = rowCount(packedSum);
      if (leftRows < minLeafRows) continue;
      if (rows - leftRows < minLeafRows) break;
      const leftHessian = hessianUnits(packedSum) * hessianUnit;
      const rightHessian = leaf.hessian - leftHessian;
      if (leftHessian < MIN_HESSIAN || rightHessian < MIN_HESSIAN) continue;
      const left = gradientSum * gradientUnit;
      const right = leaf.gradient - left;
      const gain = left ** 2 / (leftHessian + l2) + right ** 2 / (rightHessian + l2) - unsplit;
      if (gain > (best?.gain ?? 0)) best = { feature, bin, gain };
    }
  }
  return best;
}

/** Moves the rows that go left to the front, stable on both sides, and returns where the right side starts. */
function partition(
  { words, rows }: BinnedMatrix,
  feature: number,
  bin: number,
  order: Int32Array,
  aside: Int32Array,
  from: number,
  to: number,
): number {
  const base = (feature >> 2) * rows;
  const shift = (feature & 3) * 8;
  let left = from;
  let right = 0;
  for (let i = from; i < to; i++) {
    const row = order[i]!;
    if (((words[base + row]! >>> shift) & 255) <= bin) order[left++] = row;
    else aside[right++] = row;
  }
  order.set(aside.subarray(0, right), left);
  return left;
}
