// Gradient boosting: it learns, it is exact and reproducible, and it respects its parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifierOf, type Ensemble, predictorOf, serialise } from '../../../scripts/train-extractor/ensemble.ts';
import { type BoostParams, trainBinary, trainMulticlass } from '../../../scripts/train-extractor/gbdt.ts';
import { type Matrix, rowOf } from '../../../scripts/train-extractor/matrix.ts';
import { createRandom, makeTable, pickRows, SEED, type Table } from './synthetic.ts';

const predictBinary = (model: Ensemble, { values, columns }: Matrix) => predictorOf(model, columns)(values);

const PARAMS: BoostParams = { trees: 20, leaves: 8, learningRate: 0.3, minLeafRows: 10, l2: 1 };

// Neither column predicts anything alone; the third is noise.
const exclusiveOr = (row: Float32Array): number => (row[0]! > 0.5 !== row[1]! > 0.3 ? 1 : 0);
// Asymmetric, so that the first split already gains something.
const corner = (row: Float32Array): number => (row[0]! > 0.4 && row[1]! > 0.3 ? 1 : 0);

const train = ({ data, labels, weights }: Table, params = PARAMS) => trainBinary(data, labels, weights, params);
const shape = (table: Table, params = PARAMS) => JSON.stringify(serialise(train(table, params)));

function accuracy(probability: Float64Array, labels: Int8Array): number {
  return probability.filter((p, i) => p > 0.5 === (labels[i] === 1)).length / labels.length;
}

test('it learns a rule that needs two features together, and hardly uses the noise feature', () => {
  const model = train(makeTable(4000, 3, exclusiveOr));
  const unseen = makeTable(1000, 3, exclusiveOr, SEED + 1);
  assert.ok(accuracy(predictBinary(model, unseen.data), unseen.labels) > 0.98);
  assert.ok(model.gain[2]! < 0.01 * (model.gain[0]! + model.gain[1]!));
});

test('probabilities follow the base rate where there is nothing to learn', () => {
  const table = makeTable(500, 2, () => 0);
  table.data.values.fill(1);
  table.labels.fill(1, 0, 100);
  for (const p of predictBinary(train(table), table.data)) assert.ok(Math.abs(p - 0.2) < 1e-6);
});

test('the order of the rows does not change the trees', () => {
  const random = createRandom(SEED);
  const table = makeTable(2000, 6, corner);
  table.weights = table.weights.map(() => random() * 3);
  const order = Array.from({ length: 2000 }, (_, i) => (i * 1237) % 2000);
  assert.ok(shape(pickRows(table, order)) === shape(table));
});

test('rows of weight 0 have no effect, not even on the bins', () => {
  const table = makeTable(1000, 4, corner);
  const extended = pickRows(table, [...Array(1000).keys(), ...Array(500).keys()]);
  extended.weights.fill(0, 1000);
  extended.data.values.fill(7.7, 1000 * 4);
  assert.ok(shape(extended) === shape(table));
});

test('a row of weight two counts like two rows', () => {
  const params = { ...PARAMS, minLeafRows: 1 };
  const table = makeTable(600, 3, corner);
  const doubled = pickRows(table, [...Array(600).keys(), ...Array(600).keys()]);
  table.weights.fill(2);
  const [weighed, repeated] = [table, doubled].map((one) => predictBinary(train(one, params), table.data));
  for (const [row, p] of weighed!.entries()) assert.ok(Math.abs(p - repeated![row]!) < 1e-5);
});

test('no leaf has fewer rows than the minimum, and no tree more leaves than the maximum', () => {
  const table = makeTable(1500, 5, exclusiveOr);
  const model = train(table, { ...PARAMS, minLeafRows: 100 });
  const serialised = serialise(model);
  for (const [tree, root] of model.roots.entries()) {
    const counts = new Map<number, number>();
    for (let row = 0; row < table.data.rows; row++) {
      let node = root;
      while (serialised.feature[node]! >= 0) {
        const value = table.data.values[row * 5 + serialised.feature[node]!]!;
        node = value <= serialised.threshold[node]! ? serialised.left[node]! : serialised.right[node]!;
      }
      counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    assert.ok(counts.size <= 8, `tree ${tree} has ${counts.size} leaves`);
    assert.ok(Math.min(...counts.values()) >= 100, `tree ${tree} has a leaf of ${Math.min(...counts.values())} rows`);
  }
});

test('only the given features are used', () => {
  const model = train(makeTable(1000, 9, corner), { ...PARAMS, features: [1, 6, 8] });
  const asked = new Set(model.feature.filter((feature) => feature >= 0));
  assert.ok(asked.has(1));
  for (const feature of asked) assert.ok([1, 6, 8].includes(feature));
});

test('values that differ by the smallest float32 step are separated', () => {
  const low = Math.fround(0.1);
  const high = new Float32Array([low]);
  new Uint32Array(high.buffer)[0]! += 1;
  const table = makeTable(200, 1, () => 0);
  for (let row = 0; row < 200; row++) {
    table.data.values[row] = row % 2 === 0 ? low : high[0]!;
    table.labels[row] = row % 2;
  }
  assert.equal(accuracy(predictBinary(train(table), table.data), table.labels), 1);
});

test('several classes are separated, and their probabilities sum to one', () => {
  const rule = (row: Float32Array) => (row[0]! < 0.3 ? 0 : row[1]! < 0.5 ? 1 : 2);
  const { data, labels, weights } = makeTable(1500, 4, rule);
  const model = trainMulticlass(data, labels, weights, 3, PARAMS);
  assert.equal(model.roots.length, 60);
  const unseen = makeTable(300, 4, rule, SEED + 2);
  const classify = classifierOf(model, unseen.data.columns);
  let right = 0;
  for (let row = 0; row < 300; row++) {
    const ofRow = classify(rowOf(unseen.data, row));
    assert.ok(Math.abs(ofRow[0]! + ofRow[1]! + ofRow[2]! - 1) < 1e-12);
    if (ofRow.indexOf(Math.max(...ofRow)) === unseen.labels[row]) right += 1;
  }
  assert.ok(right > 290, `${right} of 300`);
});

test('serialised trees are shorter and predict the same', () => {
  const table = makeTable(2000, 5, corner);
  table.data.values.forEach((value, i) => {
    table.data.values[i] = value * 1.2345678 + 1e-3;
  });
  const model = train(table);
  const text = JSON.stringify(serialise(model));
  assert.ok(text.length < 0.8 * JSON.stringify({ ...model, gain: [] }).length);
  const read = { ...JSON.parse(text), gain: model.gain };
  assert.deepEqual(predictBinary(read, table.data), predictBinary(model, table.data));
});

test('training without any weighted row is refused', () => {
  const table = makeTable(10, 1, () => 0);
  table.weights.fill(0);
  assert.throws(() => train(table), RangeError);
});
