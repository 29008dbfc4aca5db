// Edit distance of two ordered trees: the lowest cost of inserting, deleting (1 each) and renaming nodes (Zhang and Shasha 1989).

export interface TreeNode {
  children: readonly TreeNode[];
}

interface Flat<T> {
  /** In post-order. */
  nodes: T[];
  /** Leftmost leaf below each node. */
  leaves: number[];
  /** Topmost node of each leftmost path (the key roots). */
  roots: number[];
}

export function treeDistance<T extends TreeNode>(a: T, b: T, rename: (a: T, b: T) => number): number {
  const [left, right] = [flatten(a), flatten(b)];
  const distances = left.nodes.map(() => new Float64Array(right.nodes.length));
  const costs = left.nodes.map((node) => Float64Array.from(right.nodes, (other) => rename(node, other)));
  for (const i of left.roots) for (const j of right.roots) compare(left, right, i, j, distances, costs);
  return distances.at(-1)!.at(-1)!;
}

/** Computes the distances of all pairs of subtrees on the leftmost paths below nodes i and j. */
function compare<T>(
  left: Flat<T>,
  right: Flat<T>,
  i: number,
  j: number,
  distances: Float64Array[],
  costs: Float64Array[],
): void {
  const [fromI, fromJ] = [left.leaves[i]!, right.leaves[j]!];
  const width = j - fromJ + 2;
  let previous = Float64Array.from({ length: width }, (_, at) => at);
  const forest = [previous];
  for (let x = fromI; x <= i; x++) {
    const row = new Float64Array(width);
    row[0] = previous[0]! + 1;
    for (let y = fromJ; y <= j; y++) {
      const column = y - fromJ + 1;
      const edit = Math.min(previous[column]! + 1, row[column - 1]! + 1);
      if (left.leaves[x] === fromI && right.leaves[y] === fromJ) {
        row[column] = Math.min(edit, previous[column - 1]! + costs[x]![y]!);
        distances[x]![y] = row[column]!;
      } else {
        const before = forest[left.leaves[x]! - fromI]![right.leaves[y]! - fromJ]!;
        row[column] = Math.min(edit, before + distances[x]![y]!);
      }
    }
    forest.push(row);
    previous = row;
  }
}

function flatten<T extends TreeNode>(root: T): Flat<T> {
  const nodes: T[] = [];
  const leaves: number[] = [];
  const visit = (node: T): number => {
    let leaf = -1;
    for (const child of node.children) {
      const first = visit(child as T);
      if (leaf === -1) leaf = first;
    }
    nodes.push(node);
    if (leaf === -1) leaf = nodes.length - 1;
    leaves.push(leaf);
    return leaf;
  };
  visit(root);
  const roots = leaves.flatMap((leaf, at) => (leaves.lastIndexOf(leaf) === at ? [at] : []));
  return { nodes, leaves, roots };
}

export const countNodes = (node: TreeNode): number => node.children.reduce((sum, child) => sum + countNodes(child), 1);
