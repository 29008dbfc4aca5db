// Histogram-based gradient boosting: log-loss for two classes, softmax for more. The same input gives the same trees on
// every machine: no randomness, exact sums (histogram.ts), ties go to the first feature.
import { binMatrix, MAX_BINS } from './bins.ts';
import { createEnsemble, type Ensemble } from './ensemble.ts';
import { createGrower, type TreeParams } from './grow-tree.ts';
import { createDerivatives, MAX_ROWS, setDerivatives } from './histogram.ts';
import type { Matrix } from './matrix.ts';

export interface BoostParams extends TreeParams {
  /** Boosting rounds: one tree each, or one per class. */
  readonly trees: number;
  readonly bins?: number;
}

export const BLOCK_PARAMS: BoostParams = { trees: 60, leaves: 28, learningRate: 0.1, minLeafRows: 40, l2: 2 };
export const PAGE_TYPE_PARAMS: BoostParams = { trees: 60, leaves: 10, learningRate: 0.1, minLeafRows: 10, l2: 2 };
export const SIBLING_PARAMS: BoostParams = { trees: 60, leaves: 8, learningRate: 0.1, minLeafRows: 60, l2: 5 };

type Weights = Float32Array | Float64Array;

/**
 * Labels are 0 or 1. Rows of weight 0 are ignored, whatever their label. With `start`, the trees correct these scores (log odds)
 * instead of the base rate, which they then do not contain.
 */
export function trainBinary(
  data: Matrix,
  labels: ArrayLike<number>,
  weights: Weights,
  params: BoostParams,
  start?: Float64Array,
): Ensemble {
  const rows = rowsInUse(weights);
  const totalWeight = sumOf(weights, rows);
  const ensemble = createEnsemble(1, data.columns);
  const grower = createGrower(binMatrix(data, weights, params.bins ?? MAX_BINS), rows, params, ensemble);
  const derivatives = createDerivatives(data.rows, totalWeight);
  const share = weightedShares(labels, weights, rows, 2)[1]!;
  const base = Math.fround(Math.log(share / (1 - share)));
  const scores = start?.slice() ?? new Float64Array(data.rows).fill(base);
  for (let round = 0; round < params.trees; round++) {
    for (const row of rows) {
      const p = 1 / (1 + Math.exp(-scores[row]!));
      setDerivatives(derivatives, row, weights[row]! * (p - labels[row]!), weights[row]! * p * (1 - p));
    }
    grower.grow(derivatives, scores, 1, 0);
  }
  if (!start) addToTree(ensemble, 0, base);
  return ensemble;
}

/** Labels are class numbers. Tree t of the result belongs to class t % classes. */
export function trainMulticlass(
  data: Matrix,
  labels: ArrayLike<number>,
  weights: Weights,
  classes: number,
  params: BoostParams,
): Ensemble {
  const rows = rowsInUse(weights);
  const totalWeight = sumOf(weights, rows);
  const ensemble = createEnsemble(classes, data.columns);
  const grower = createGrower(binMatrix(data, weights, params.bins ?? MAX_BINS), rows, params, ensemble);
  const derivatives = createDerivatives(data.rows, totalWeight);
  const base = weightedShares(labels, weights, rows, classes).map((share) => Math.fround(Math.log(share)));
  const scores = new Float64Array(data.rows * classes);
  for (const row of rows) scores.set(base, row * classes);
  for (let round = 0; round < params.trees; round++) {
    const probabilities = scores.slice();
    for (const row of rows) softmax(probabilities.subarray(row * classes, (row + 1) * classes));
    for (let one = 0; one < classes; one++) {
      for (const row of rows) {
        const p = probabilities[row * classes + one]!;
        const target = labels[row] === one ? 1 : 0;
        setDerivatives(derivatives, row, weights[row]! * (p - target), weights[row]! * p * (1 - p));
      }
      grower.grow(derivatives, scores, classes, one);
    }
  }
  base.forEach((value, one) => {
    addToTree(ensemble, one, value);
  });
  return ensemble;
}

function rowsInUse(weights: Weights): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < weights.length; row++) if (weights[row]! > 0) rows.push(row);
  if (rows.length === 0 || rows.length >= MAX_ROWS) {
    throw new RangeError(`Training takes 1 to ${MAX_ROWS - 1} rows of positive weight, not ${rows.length}.`);
  }
  return Int32Array.from(rows);
}

function sumOf(weights: Weights, rows: Int32Array): number {
  let sum = 0;
  for (const row of rows) sum += weights[row]!;
  return sum;
}

/** The share of each class in the weight, clamped so that its logarithm exists. */
function weightedShares(labels: ArrayLike<number>, weights: Weights, rows: Int32Array, classes: number): number[] {
  const sums = new Array<number>(classes).fill(0);
  for (const row of rows) sums[labels[row]!]! += weights[row]!;
  const total = sums.reduce((sum, part) => sum + part, 0);
  return sums.map((sum) => Math.min(1 - 1e-6, Math.max(1e-6, sum / total)));
}

function softmax(scores: Float64Array): void {
  const highest = Math.max(...scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    scores[i] = Math.exp(scores[i]! - highest);
    sum += scores[i]!;
  }
  for (let i = 0; i < scores.length; i++) scores[i]! /= sum;
}

/** Adds the base rate to a tree, so that a score is just a sum over trees. */
function addToTree(ensemble: Ensemble, tree: number, amount: number): void {
  const end = ensemble.roots[tree + 1] ?? ensemble.feature.length;
  for (let node = ensemble.roots[tree]!; node < end; node++) {
    if (ensemble.feature[node] === -1) ensemble.value[node] = Math.fround(ensemble.value[node]! + amount);
  }
}
