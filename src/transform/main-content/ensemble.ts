// Boosted trees as flat arrays: a row walks from each root to a leaf, and the leaves' values are added up.

/** As written by the training command; a node with feature -1 is a leaf. Tree t speaks for class t % classes. */
export interface SerialisedEnsemble {
  classes: number;
  roots: number[];
  feature: number[];
  threshold: number[];
  left: number[];
  right: number[];
  value: number[];
}

export interface Ensemble {
  classes: number;
  roots: Int32Array;
  feature: Int16Array;
  threshold: Float32Array;
  left: Int32Array;
  right: Int32Array;
  value: Float32Array;
}

export const readEnsemble = (from: SerialisedEnsemble): Ensemble => ({
  classes: from.classes,
  roots: Int32Array.from(from.roots),
  feature: Int16Array.from(from.feature),
  threshold: Float32Array.from(from.threshold),
  left: Int32Array.from(from.left),
  right: Int32Array.from(from.right),
  value: Float32Array.from(from.value),
});

/** The probability of yes for each row of `rows`, which are `columns` wide. */
export function probabilities(ensemble: Ensemble, rows: Float32Array, columns: number): Float64Array {
  const count = columns === 0 ? 0 : rows.length / columns;
  const result = new Float64Array(count);
  // Tree by tree: its few hundred nodes stay in the cache while every row walks them.
  for (const root of ensemble.roots) {
    for (let row = 0; row < count; row++) result[row]! += leafValue(ensemble, root, rows, row * columns);
  }
  for (let row = 0; row < count; row++) result[row] = 1 / (1 + Math.exp(-result[row]!));
  return result;
}

/** The probability of each class for one row. */
export function classProbabilities(ensemble: Ensemble, row: Float32Array): Float64Array {
  const scores = new Float64Array(ensemble.classes);
  for (const [tree, root] of ensemble.roots.entries()) {
    scores[tree % ensemble.classes]! += leafValue(ensemble, root, row, 0);
  }
  const highest = Math.max(...scores);
  let sum = 0;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = Math.exp(scores[index]! - highest);
    sum += scores[index]!;
  }
  return scores.map((score) => score / sum);
}

function leafValue(
  { feature, threshold, left, right, value }: Ensemble,
  root: number,
  rows: Float32Array,
  at: number,
): number {
  let node = root;
  for (let asked = feature[node]!; asked >= 0; asked = feature[node]!) {
    node = rows[at + asked]! <= threshold[node]! ? left[node]! : right[node]!;
  }
  return value[node]!;
}
