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
  const levelled = new Float64Array(probability.length);
  for (let index = 0; index < levelled.length; index++) {
    const { weight, sum } = sums.get(paths[index]!)!;
    levelled[index] = probability[index]! * (1 - BRANCH) + (BRANCH * sum) / weight;
  }
  const smoothed = new Float64Array(probability.length);
  for (let index = 0; index < smoothed.length; index++) {
    const own = levelled[index]!;
    const before = index > 0 ? levelled[index - 1]! : own;
    const after = index + 1 < levelled.length ? levelled[index + 1]! : own;
    smoothed[index] = own * (1 - NEIGHBOURS) + (NEIGHBOURS * (before + after)) / 2;
  }
  return smoothed;
}
