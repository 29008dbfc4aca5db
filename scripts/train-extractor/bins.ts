// Quantises features: each column is divided into at most 64 bins of about equally many rows. Four columns share a
// 32-bit word, so that the histogram loop reads the bins of four features at once.
import type { Matrix } from './matrix.ts';

export const MAX_BINS = 64;
export const COLUMNS_A_WORD = 4;

// Rows sampled to choose the cuts; more would not change them.
const SAMPLE = 60_000;
const TILE = 512;

export interface BinnedMatrix {
  readonly rows: number;
  readonly columns: number;
  /** One word per row for each group of four columns: the bin of column c is byte c % 4 of group c / 4. */
  readonly words: Uint32Array;
  /** A value is in bin b if it is <= cuts[b] and > cuts[b - 1]; the last bin has no cut. */
  readonly cuts: readonly Float32Array[];
}

/** Bins every row. The cuts depend only on rows with a weight, so that excluded rows do not affect the fit. */
export function binMatrix(data: Matrix, weights: Float32Array | Float64Array, maxBins = MAX_BINS): BinnedMatrix {
  const { rows, columns } = data;
  const sample = sampleRows(weights);
  const cuts = Array.from({ length: columns }, (_, column) => chooseCuts(columnValues(data, column, sample), maxBins));
  const words = new Uint32Array(Math.ceil(columns / COLUMNS_A_WORD) * rows);
  // Tiles that fit into the CPU cache while they are read column by column.
  for (let from = 0; from < rows; from += TILE) {
    const to = Math.min(rows, from + TILE);
    for (let column = 0; column < columns; column++) writeBins(data, column, from, to, cuts[column]!, words);
  }
  return { rows, columns, words, cuts };
}

function writeBins(
  { rows, columns, values }: Matrix,
  column: number,
  from: number,
  to: number,
  cuts: Float32Array,
  words: Uint32Array,
): void {
  const base = (column >> 2) * rows;
  const shift = (column & 3) * 8;
  for (let row = from; row < to; row++) {
    words[base + row]! |= binOf(cuts, values[row * columns + column]!) << shift;
  }
}

function sampleRows(weights: Float32Array | Float64Array): Int32Array {
  let used = 0;
  for (let row = 0; row < weights.length; row++) if (weights[row]! > 0) used += 1;
  const step = Math.max(1, Math.ceil(used / SAMPLE));
  const sample = new Int32Array(Math.ceil(used / step));
  for (let row = 0, seen = 0; row < weights.length; row++) {
    if (weights[row]! > 0 && seen++ % step === 0) sample[(seen - 1) / step] = row;
  }
  return sample;
}

function columnValues({ values, columns }: Matrix, column: number, sample: Int32Array): Float32Array {
  const picked = new Float32Array(sample.length);
  // Adding zero turns -0 into 0, which sorts differently but compares equal.
  for (let i = 0; i < sample.length; i++) picked[i] = values[sample[i]! * columns + column]! + 0;
  return picked.sort();
}

/** Cuts between neighbouring values. Frequent values get a bin of their own; the others share the rest evenly. */
function chooseCuts(sorted: Float32Array, maxBins: number): Float32Array {
  const distinct: number[] = [];
  const counts: number[] = [];
  for (const value of sorted) {
    if (distinct.at(-1) === value) counts[counts.length - 1]! += 1;
    else {
      distinct.push(value);
      counts.push(1);
    }
  }
  const full = sorted.length / maxBins;
  const large = counts.filter((count) => count >= full);
  const shared = sorted.length - large.reduce((sum, count) => sum + count, 0);
  const target = distinct.length <= maxBins ? 0 : shared / Math.max(1, maxBins - large.length);
  const cuts: number[] = [];
  let filled = 0;
  for (let i = 0; i + 1 < distinct.length && cuts.length < maxBins - 1; i++) {
    filled += counts[i]!;
    if (filled < target && counts[i]! < full && counts[i + 1]! < full) continue;
    cuts.push(between(distinct[i]!, distinct[i + 1]!));
    filled = 0;
  }
  return Float32Array.from(cuts);
}

/** A float32 in [low, high): the middle, unless it rounds up to `high`. */
function between(low: number, high: number): number {
  const middle = Math.fround(low + (high - low) / 2);
  return middle < high ? middle : low;
}

function binOf(cuts: Float32Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= cuts[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
