// Vectors of texts: the more alike two texts are in what they say, the nearer to 1 is the cosine of their vectors. They are
// kept as one byte a number, which changes a cosine in the third digit.

export type TextVector = Int8Array;

/** Every number in proportion to the largest: the length of a vector says nothing. */
export function roundVector(numbers: Float32Array): TextVector {
  let largest = 0;
  for (const number of numbers) largest = Math.max(largest, Math.abs(number));
  return largest === 0
    ? new Int8Array(numbers.length)
    : Int8Array.from(numbers, (each) => Math.round((each / largest) * 127));
}

/** What vectors have in common: each counts the same. Undefined without any. */
export function middleOf(vectors: readonly TextVector[]): TextVector | undefined {
  if (vectors.length === 0) return undefined;
  const sums = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) {
    const length = Math.hypot(...vector) || 1;
    for (let at = 0; at < sums.length; at++) sums[at]! += vector[at]! / length;
  }
  return roundVector(sums);
}

/** 0 for a text without words. */
export function cosine(one: TextVector, other: TextVector): number {
  let [product, ones, others] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!;
    ones += one[at]! * one[at]!;
    others += other[at]! * other[at]!;
  }
  return ones === 0 || others === 0 ? 0 : product / Math.sqrt(ones * others);
}
