// Gradient-boosted trees. The score of a row is the sum of the leaves it reaches, one per tree. Here they are brought into
// the form that the kernel reads: conditions instead of nodes, column by column.
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
  /** The conditions by column and ascending threshold, as `Condition` of the kernel: threshold, tree, `notLeft`. */
  readonly conditions: Int32Array;
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
    conditions: Int32Array.from(
      conditions.flatMap(({ threshold, tree, notLeft }) => [bitsOf(threshold), tree, notLeft]),
    ),
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

function bitsOf(float: number): number {
  return new Int32Array(Float32Array.of(float).buffer)[0]!;
}
