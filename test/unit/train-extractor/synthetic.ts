// Synthetic data for the training tests: tables with a known rule behind the labels, from a fixed seed.
import { createMatrix, type Matrix } from '../../../scripts/train-extractor/matrix.ts';

export const SEED = 20_261;

/** Pseudo-random numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Table {
  data: Matrix;
  labels: Int8Array;
  weights: Float64Array;
}

/** `rule` computes the label of a row. Columns hold multiples of 1/64, so that every value gets its own bin. */
export function makeTable(rows: number, columns: number, rule: (row: Float32Array) => number, seed = SEED): Table {
  const random = createRandom(seed);
  const data = createMatrix(rows, columns);
  for (let i = 0; i < data.values.length; i++) data.values[i] = Math.floor(random() * 64) / 64;
  const labels = new Int8Array(rows);
  for (let row = 0; row < rows; row++) {
    labels[row] = rule(data.values.subarray(row * columns, (row + 1) * columns));
  }
  return { data, labels, weights: new Float64Array(rows).fill(1) };
}

/** The table with the rows in `picked`, which may omit and repeat rows. */
export function pickRows({ data, labels, weights }: Table, picked: readonly number[]): Table {
  const copy = createMatrix(picked.length, data.columns);
  for (const [to, from] of picked.entries()) {
    copy.values.set(data.values.subarray(from * data.columns, (from + 1) * data.columns), to * data.columns);
  }
  return {
    data: copy,
    labels: Int8Array.from(picked, (row) => labels[row]!),
    weights: Float64Array.from(picked, (row) => weights[row]!),
  };
}
