// Gradient-boosted trees in flat arrays. The score of a row is the sum of the leaves it reaches, one per tree.

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

/** Three numbers per node: feature, threshold, left child (the right child follows it). A leaf has -1 and its value. */
export interface Ensemble {
  classes: number;
  roots: Int32Array;
  asInts: Int32Array;
  asFloats: Float32Array;
}

const NODE = 3;

export function readEnsemble(from: SerialisedEnsemble): Ensemble {
  const memory = new ArrayBuffer(from.feature.length * NODE * 4);
  const asInts = new Int32Array(memory);
  const asFloats = new Float32Array(memory);
  let free = 0;
  const roots = from.roots.map((root) => {
    const start = free;
    free += NODE;
    // Breadth first, so that the two children of a node are neighbours in memory.
    const open: [node: number, at: number][] = [[root, start]];
    for (let next = open.shift(); next; next = open.shift()) {
      const [node, at] = next;
      asInts[at] = from.feature[node]!;
      asFloats[at + 1] = from.feature[node]! < 0 ? from.value[node]! : from.threshold[node]!;
      if (from.feature[node]! < 0) continue;
      asInts[at + 2] = free;
      open.push([from.left[node]!, free], [from.right[node]!, free + NODE]);
      free += 2 * NODE;
    }
    return start;
  });
  return { classes: from.classes, roots: Int32Array.from(roots), asInts, asFloats };
}

/** The probability of the positive class for each row of `columns` values. */
export function probabilities(ensemble: Ensemble, rows: Float32Array, columns: number): Float64Array {
  const count = columns === 0 ? 0 : rows.length / columns;
  const result = new Float64Array(count);
  // Tree by tree: a tree's few hundred nodes stay in the CPU cache while every row passes through them.
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

function leafValue({ asInts, asFloats }: Ensemble, root: number, rows: Float32Array, at: number): number {
  let node = root;
  for (let asked = asInts[node]!; asked >= 0; asked = asInts[node]!) {
    node = asInts[node + 2]! + (rows[at + asked]! <= asFloats[node + 1]! ? 0 : NODE);
  }
  return asFloats[node + 1]!;
}
