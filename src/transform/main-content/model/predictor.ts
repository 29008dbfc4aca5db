// Scores rows by the trees of an ensemble, in the kernel.
import { assert } from '../../../util/assert.ts';
import { createKernel, type Kernel } from '../../kernel/kernel.ts';
import type { Ensemble } from './ensemble.ts';

/** The probability of the positive class for each row. */
export type Predictor = (rows: Float32Array) => Float64Array;

/** The probability of each class for one row. */
export type RowClassifier = (row: Float32Array) => Float64Array;

/** As many rows as the fastest cache of a processor holds. A multiple of the four that the kernel scores at a time. */
const ROWS_AT_ONCE = 64;

/** Rows have `columns` values. From column `shared` on, they all have the same, which are looked at only once. */
export function createPredictor(
  ensemble: Ensemble,
  columns: number,
  shared: number = columns,
  kernel: Kernel = createKernel(),
): Predictor {
  const score = createScorer(kernel, ensemble, columns, shared);
  return (rows) => {
    const result = new Float64Array(rows.length / columns);
    for (let first = 0; first < result.length; first += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, result.length - first);
      const scores = score(rows.subarray(first * columns, (first + count) * columns), count);
      for (let row = 0; row < count; row++) result[first + row] = 1 / (1 + Math.exp(-scores[row]!));
    }
    return result;
  };
}

export function createClassifier(ensemble: Ensemble, columns: number): RowClassifier {
  // All values of a single row are shared.
  const score = createScorer(createKernel(), ensemble, columns, 0);
  return (row) => softmax(score(row, 1).slice(0, ensemble.classes));
}

/** The sums of the leaves, row by row and class by class, of at most ROWS_AT_ONCE rows. Overwritten by the next call. */
type Scorer = (rows: Float32Array, count: number) => Float64Array;

function createScorer(kernel: Kernel, ensemble: Ensemble, columns: number, shared: number): Scorer {
  const { columns: asked, start, conditions, firstLeaf, leaves, classes } = ensemble;
  assert((asked.at(-1) ?? 0) < columns, 'The trees ask for columns that the rows do not have.');
  const trees = firstLeaf.length;
  // In the order of `Ensemble` in trees.rs.
  const struct = kernel.place(
    Int32Array.of(
      ...[kernel.place(asked), kernel.place(start), kernel.place(conditions)],
      ...[kernel.place(firstLeaf), kernel.place(leaves), trees, classes],
      ...[kernel.reserve(4 * trees), kernel.reserve(16 * trees)],
    ),
  );
  const rowsAt = kernel.reserve(4 * ROWS_AT_ONCE * columns);
  const scoresAt = kernel.reserve(8 * ROWS_AT_ONCE * classes);
  const memory = kernel.view(Float32Array, rowsAt, ROWS_AT_ONCE * columns);
  const scores = kernel.view(Float64Array, scoresAt, ROWS_AT_ONCE * classes);
  const own = asked.findLastIndex((column) => column < shared) + 1;
  return (rows, count) => {
    memory.set(rows);
    kernel.calls.ruleOutShared(struct, rowsAt, own, asked.length);
    kernel.calls.scoreRows(struct, rowsAt, columns, count, own, scoresAt);
    return scores;
  };
}

function softmax(scores: Float64Array): Float64Array {
  const highest = Math.max(...scores);
  let sum = 0;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = Math.exp(scores[index]! - highest);
    sum += scores[index]!;
  }
  for (let index = 0; index < scores.length; index++) scores[index]! /= sum;
  return scores;
}
