// Gradient-boosted trees. The score of a row is the sum of the leaves it reaches, one per tree.
// No tree is followed from its root: conditions are checked column by column, and each one that a row fails rules out
// leaves of its tree (QuickScorer, Lucchese et al. 2015). The branches are predictable, which makes it twice as fast.
import { assert } from '../../../util/assert.ts';

/** As the training command writes it. Feature -1 marks a leaf; tree t votes for class t % classes. */
export interface SerialisedEnsemble {
  classes: number;
  roots: number[];
  feature: number[];
  threshold: number[];
  left: number[];
  right: number[];
  value: number[];
}

/** The leaves of a tree are the bits of one number. */
const MAX_LEAVES = 32;

/** A row goes left if its value in the column is at most the threshold. Otherwise the leaves on the left are ruled out. */
interface Condition {
  column: number;
  threshold: number;
  tree: number;
  /** One bit for each leaf of the tree that is not on the left of this condition. */
  notLeft: number;
}

export interface Ensemble {
  readonly classes: number;
  /** The values of all leaves, tree by tree and from left to right. */
  readonly leaves: Float32Array;
  /** Index of each tree's first leaf. */
  readonly firstLeaf: Int32Array;
  /** The columns with conditions, in ascending order. The conditions of the n-th are [start[n], start[n + 1]). */
  readonly columns: Int32Array;
  readonly start: Int32Array;
  /** The conditions, by column and ascending threshold. */
  readonly threshold: Float32Array;
  readonly tree: Int32Array;
  readonly notLeft: Int32Array;
}

export function readEnsemble(from: SerialisedEnsemble): Ensemble {
  const leaves: number[] = [];
  const conditions: Condition[] = [];
  const firstLeaf = from.roots.map((root, tree) => {
    const first = leaves.length;
    collectNodes(from, root, tree, first, leaves, conditions);
    assert(leaves.length - first <= MAX_LEAVES, `Tree ${tree} has more than ${MAX_LEAVES} leaves.`);
    return first;
  });
  conditions.sort((a, b) => a.column - b.column || a.threshold - b.threshold);
  const isFirst = conditions.map(({ column }, at) => column !== conditions[at - 1]?.column);
  const start = [...isFirst.keys()].filter((at) => isFirst[at]);
  return {
    classes: from.classes,
    leaves: Float32Array.from(leaves),
    firstLeaf: Int32Array.from(firstLeaf),
    columns: Int32Array.from(start, (at) => conditions[at]!.column),
    start: Int32Array.from([...start, conditions.length]),
    threshold: Float32Array.from(conditions, ({ threshold }) => threshold),
    tree: Int32Array.from(conditions, ({ tree }) => tree),
    notLeft: Int32Array.from(conditions, ({ notLeft }) => notLeft),
  };
}

/** Adds the leaves and conditions of a subtree. Depth is bounded by the number of leaves. */
function collectNodes(
  from: SerialisedEnsemble,
  node: number,
  tree: number,
  first: number,
  leaves: number[],
  conditions: Condition[],
): void {
  const column = from.feature[node]!;
  if (column < 0) {
    leaves.push(from.value[node]!);
    return;
  }
  const leftStart = leaves.length - first;
  collectNodes(from, from.left[node]!, tree, first, leaves, conditions);
  let notLeft = -1;
  for (let leaf = leftStart; leaf < leaves.length - first; leaf++) notLeft &= ~(1 << leaf);
  conditions.push({ column, threshold: from.threshold[node]!, tree, notLeft });
  collectNodes(from, from.right[node]!, tree, first, leaves, conditions);
}

/**
 * The probability of the positive class for each row of `columns` values. From column `shared` on, all rows have the
 * same values, so that conditions on them are checked only once.
 */
export type Predictor = (rows: Float32Array, columns: number, shared?: number) => Float64Array;

/**
 * To be created once: V8 compiles the arrays into the code as constants, which halves the time of the inner loop. That
 * takes constants rather than parameters, and the loop in the function itself.
 */
export function createPredictor(ensemble: Ensemble): Predictor {
  const { leaves, firstLeaf, columns: asked, start, threshold, tree, notLeft } = ensemble;
  const trees = firstLeaf.length;
  const inAllRows = new Int32Array(trees);
  const possible = new Int32Array(trees);

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a function called for each row would not be inlined.
  return (rows, columns, shared = columns) => {
    const result = new Float64Array(columns === 0 ? 0 : rows.length / columns);
    if (result.length === 0) return result;
    const own = asked.findLastIndex((column) => column < shared) + 1;
    inAllRows.fill(-1);
    // Row -1 stands for what all rows share.
    for (let row = -1; row < result.length; row++) {
      const at = row < 0 ? 0 : row * columns;
      const last = row < 0 ? asked.length : own;
      possible.set(inAllRows);
      for (let number = row < 0 ? own : 0; number < last; number++) {
        const value = rows[at + asked[number]!]!;
        const end = start[number + 1]!;
        // Thresholds ascend: the first condition that holds ends the search.
        for (let condition = start[number]!; condition < end && !(value <= threshold[condition]!); condition++) {
          possible[tree[condition]!]! &= notLeft[condition]!;
        }
      }
      if (row < 0) {
        inAllRows.set(possible);
        continue;
      }
      let score = 0;
      for (let number = 0; number < trees; number++) {
        score += leaves[firstLeaf[number]! + lowestBit(possible[number]!)]!;
      }
      result[row] = 1 / (1 + Math.exp(-score));
    }
    return result;
  };
}

/** The probability of each class for one row. */
export function classProbabilities(ensemble: Ensemble, row: Float32Array): Float64Array {
  const { leaves, firstLeaf, columns, start, threshold, tree, notLeft } = ensemble;
  const possible = new Int32Array(firstLeaf.length).fill(-1);
  for (let number = 0; number < columns.length; number++) {
    const value = row[columns[number]!]!;
    const end = start[number + 1]!;
    for (let condition = start[number]!; condition < end && !(value <= threshold[condition]!); condition++) {
      possible[tree[condition]!]! &= notLeft[condition]!;
    }
  }
  const scores = new Float64Array(ensemble.classes);
  for (let number = 0; number < possible.length; number++) {
    scores[number % ensemble.classes]! += leaves[firstLeaf[number]! + lowestBit(possible[number]!)]!;
  }
  return softmax(scores);
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

/** The leftmost leaf that is still possible is the one that the row reaches. */
const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
