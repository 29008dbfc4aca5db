// Logistic regression by Newton's method, with a penalty for large weights.

export interface Example {
  values: Float64Array;
  /** 0 to 1. */
  target: number;
}

const ROUNDS = 25;

/** `expected`: the weights that the penalty draws to. */
export function fitLogistic(examples: readonly Example[], expected: readonly number[], penalty: number): Float64Array {
  const count = expected.length;
  const weights = Float64Array.from(expected);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = Float64Array.from(weights, (weight, at) => penalty * (expected[at]! - weight));
    const curvature = Array.from({ length: count }, (_, at) => {
      const row = new Float64Array(count);
      row[at] = penalty;
      return row;
    });
    for (const { values, target } of examples) {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += weights[at]! * values[at]!;
      const p = 1 / (1 + Math.exp(-sum));
      const slope = target - p;
      const bend = p * (1 - p);
      for (let at = 0; at < count; at++) {
        const value = values[at]!;
        if (value === 0) continue;
        gradient[at]! += slope * value;
        const row = curvature[at]!;
        for (let other = 0; other < count; other++) row[other]! += bend * value * values[other]!;
      }
    }
    const step = solve(curvature, gradient);
    for (let at = 0; at < count; at++) weights[at]! += step[at]!;
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

/** Gauss with pivots; the matrix is positive definite thanks to the penalty. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at]!]));
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++) {
      if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row;
    }
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let row = at + 1; row < size; row++) {
      const factor = rows[row]![at]! / rows[at]![at]!;
      if (factor === 0) continue;
      for (let column = at; column <= size; column++) rows[row]![column]! -= factor * rows[at]![column]!;
    }
  }
  const result = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    let rest = rows[at]![size]!;
    for (let column = at + 1; column < size; column++) rest -= rows[at]![column]! * result[column]!;
    result[at] = rest / rows[at]![at]!;
  }
  return result;
}
