// Smooths block probabilities. Blocks made by the same template are usually all content or all not, and so are
// neighbours: each probability moves towards the mean of its branch path, and then towards the blocks before and after.

const BRANCH = 0.8;
const NEIGHBOURS = 0.3;

export function smooth(probability: Float64Array, words: Float64Array, paths: Int32Array): Float64Array {
  const sums = new Map<number, { weight: number; sum: number }>();
  for (let index = 0; index < probability.length; index++) {
    const weight = words[index]! + 0.5;
    const group = sums.get(paths[index]!);
    if (group) {
      group.weight += weight;
      group.sum += weight * probability[index]!;
    } else sums.set(paths[index]!, { weight, sum: weight * probability[index]! });
  }
  const levelled = probability.map((own, index) => {
    const { weight, sum } = sums.get(paths[index]!)!;
    return own * (1 - BRANCH) + (BRANCH * sum) / weight;
  });
  return levelled.map((own, index) => {
    const before = levelled[index - 1] ?? own;
    const after = levelled[index + 1] ?? own;
    return own * (1 - NEIGHBOURS) + (NEIGHBOURS * (before + after)) / 2;
  });
}
