// Boosted trees as flat arrays: what training gives, what the product reads, and how both score a row.
import type { Matrix } from './matrix.ts';

export interface Ensemble {
  /** 1 for a yes-or-no answer; else tree t adds to the score of class t % classes. */
  readonly classes: number;
  readonly roots: number[];
  /** The feature a node asks for, or -1 for a leaf. */
  readonly feature: number[];
  /** Float32 exact. A row goes left when its value is <= the threshold. */
  readonly threshold: number[];
  readonly left: number[];
  readonly right: number[];
  /** What a leaf adds to the score (float32 exact); 0 elsewhere. The first trees carry the base rate. */
  readonly value: number[];
  /** Total gain of the splits on each feature. */
  readonly gain: Float64Array;
}

export const createEnsemble = (classes: number, columns: number): Ensemble => ({
  classes,
  roots: [],
  feature: [],
  threshold: [],
  left: [],
  right: [],
  value: [],
  gain: new Float64Array(columns),
});

/** Adds a leaf and gives its number; `splitLeaf` may later turn it into an inner node. */
export function addLeaf(ensemble: Ensemble): number {
  ensemble.threshold.push(0);
  ensemble.left.push(0);
  ensemble.right.push(0);
  ensemble.value.push(0);
  return ensemble.feature.push(-1) - 1;
}

export function splitLeaf(ensemble: Ensemble, node: number, feature: number, threshold: number): [number, number] {
  ensemble.feature[node] = feature;
  ensemble.threshold[node] = threshold;
  const left = addLeaf(ensemble);
  const right = addLeaf(ensemble);
  ensemble.left[node] = left;
  ensemble.right[node] = right;
  return [left, right];
}

/** One score a class for each row, before the logistic function or softmax. */
export function scoreRows(ensemble: Ensemble, { rows, columns, values }: Matrix): Float64Array {
  const { classes, roots } = ensemble;
  const feature = Int32Array.from(ensemble.feature);
  const threshold = Float32Array.from(ensemble.threshold);
  const left = Int32Array.from(ensemble.left);
  const right = Int32Array.from(ensemble.right);
  const scores = new Float64Array(rows * classes);
  for (let row = 0; row < rows; row++) {
    const base = row * columns;
    for (let tree = 0; tree < roots.length; tree++) {
      let node = roots[tree]!;
      for (let asked = feature[node]!; asked >= 0; asked = feature[node]!) {
        node = values[base + asked]! <= threshold[node]! ? left[node]! : right[node]!;
      }
      scores[row * classes + (tree % classes)]! += ensemble.value[node]!;
    }
  }
  return scores;
}

export const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

export const predictBinary = (ensemble: Ensemble, data: Matrix): Float64Array =>
  scoreRows(ensemble, data).map(logistic);

/** Row-major probabilities, one column a class. */
export function predictMulticlass(ensemble: Ensemble, data: Matrix): Float64Array {
  const scores = scoreRows(ensemble, data);
  for (let row = 0; row < data.rows; row++) {
    softmax(scores.subarray(row * ensemble.classes, (row + 1) * ensemble.classes));
  }
  return scores;
}

export function softmax(scores: Float64Array): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (const score of scores) highest = Math.max(highest, score);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += scores[i] = Math.exp(scores[i]! - highest);
  for (let i = 0; i < scores.length; i++) scores[i]! /= sum;
}

/** The shape in data/: numbers as short as their float32 allows. Readers must load them into Float32Arrays. */
export interface SerialisedEnsemble {
  trees: number;
  classes: number;
  roots: number[];
  feature: number[];
  threshold: number[];
  left: number[];
  right: number[];
  value: number[];
}

export const serialise = ({
  classes,
  roots,
  feature,
  threshold,
  left,
  right,
  value,
}: Ensemble): SerialisedEnsemble => ({
  trees: roots.length,
  classes,
  roots,
  feature,
  threshold: threshold.map(shortest),
  left,
  right,
  value: value.map(shortest),
});

/** The shortest decimal that reads back as the same float32. */
function shortest(value: number): number {
  const exact = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return exact;
}
