// The trees are read column by column. Here random ones are compared with trees that are followed from their roots.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KERNELS } from '../../../../../scripts/kernel/compile.ts';
import { createKernel, type KernelFile } from '../../../../../src/transform/kernel/kernel.ts';
import { readEnsemble, type SerialisedEnsemble } from '../../../../../src/transform/main-content/model/ensemble.ts';
import { createClassifier, createPredictor } from '../../../../../src/transform/main-content/model/predictor.ts';
import { seedOr } from '../../../../support/runs.ts';
import { createDice, type Dice } from '../../../../support/web/words.ts';

const SEED = seedOr(20_261_116);
const COLUMNS = 12;
const SHARED = 8;
/** More than the kernel is given at once, and no multiple of four. */
const ROWS = 150;

function randomTrees(dice: Dice, classes: number, count: number, leaves: number): SerialisedEnsemble {
  const made: SerialisedEnsemble = { classes, roots: [], feature: [], threshold: [], left: [], right: [], value: [] };
  const addLeaf = () => {
    made.threshold.push(0);
    made.left.push(0);
    made.right.push(0);
    made.value.push(Math.fround(dice.roll(1_000) / 7 - 70));
    return made.feature.push(-1) - 1;
  };
  for (let tree = 0; tree < count; tree++) {
    const open = [addLeaf()];
    made.roots.push(open[0]!);
    while (open.length < leaves) {
      const [node] = open.splice(dice.roll(open.length), 1) as [number];
      made.feature[node] = dice.roll(COLUMNS);
      made.threshold[node] = dice.roll(10) / 2;
      made.left[node] = addLeaf();
      made.right[node] = addLeaf();
      open.push(made.left[node]!, made.right[node]!);
    }
  }
  return made;
}

/** Values equal to thresholds, and missing ones, are the cases at the edge. The shared columns are those of row 0. */
function randomRows(dice: Dice): Float32Array {
  const rows = Float32Array.from({ length: ROWS * COLUMNS }, () =>
    dice.roll(20) === 0 ? Number.NaN : dice.roll(22) / 4,
  );
  for (let row = 1; row < ROWS; row++) rows.copyWithin(row * COLUMNS + SHARED, SHARED, COLUMNS);
  return rows;
}

function followed(trees: SerialisedEnsemble, tree: number, row: Float32Array): number {
  let node = trees.roots[tree]!;
  while (trees.feature[node]! >= 0)
    node = row[trees.feature[node]!]! <= trees.threshold[node]! ? trees.left[node]! : trees.right[node]!;
  return trees.value[node]!;
}

test(`a row reaches the same leaves as from the roots, bit by bit (seed ${SEED})`, () => {
  const dice = createDice(SEED);
  for (const leaves of [1, 2, 9, 28, 32]) {
    const trees = randomTrees(dice, 1, 15, leaves);
    const ensemble = readEnsemble(trees);
    const rows = randomRows(dice);
    const expected = Float64Array.from({ length: ROWS }, (_, row) => {
      const values = rows.subarray(row * COLUMNS, (row + 1) * COLUMNS);
      const score = trees.roots.reduce((sum, _root, tree) => sum + followed(trees, tree, values), 0);
      return 1 / (1 + Math.exp(-score));
    });
    assert.deepEqual(createPredictor(ensemble, COLUMNS)(rows), expected);
    for (const file of Object.keys(KERNELS) as KernelFile[])
      assert.deepEqual(createPredictor(ensemble, COLUMNS, SHARED, createKernel(file))(rows), expected);
  }
});

test(`each tree votes for its class (seed ${SEED})`, () => {
  const dice = createDice(SEED + 1);
  const trees = randomTrees(dice, 3, 12, 10);
  const row = randomRows(dice).subarray(0, COLUMNS);
  const scores = [0, 0, 0];
  for (let tree = 0; tree < trees.roots.length; tree++) scores[tree % 3]! += followed(trees, tree, row);
  const weights = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  assert.deepEqual(
    [...createClassifier(readEnsemble(trees), COLUMNS)(row)],
    weights.map((weight) => weight / sum),
  );
});

test('a tree with more leaves than bits is refused', () => {
  assert.throws(() => readEnsemble(randomTrees(createDice(1), 1, 1, 33)), /more than 32 leaves/);
});

test('no rows have no probabilities', () => {
  const predict = createPredictor(readEnsemble(randomTrees(createDice(2), 1, 3, 8)), COLUMNS, SHARED);
  assert.equal(predict(new Float32Array(0)).length, 0);
});
