// Chooses blocks from their probabilities: the set with the highest expected F1. There is no threshold to tune, and the
// expected F1 itself is an honest estimate of the quality of the result.

export interface Decoded {
  keep: Uint8Array;
  expectedF1: number;
}

/** `words` are the weights of the blocks. Articles are decoded more strictly: their surroundings are rarely content. */
export function decodeBlocks(probability: Float64Array, words: Float64Array, pArticle: number): Decoded {
  const strictness = 0.95 + 0.75 * pArticle;
  const sharpened = probability.map((p) => p ** strictness);
  const order = Uint32Array.from(sharpened.keys()).sort((a, b) => sharpened[b]! - sharpened[a]!);
  let expected = 0;
  for (let index = 0; index < sharpened.length; index++) expected += words[index]! * sharpened[index]!;
  let kept = 0;
  let hits = 0;
  let best = 0;
  let bestCount = 0;
  for (const [rank, index] of order.entries()) {
    kept += words[index]!;
    hits += words[index]! * sharpened[index]!;
    const f1 = (2 * hits) / (kept + expected);
    if (f1 > best) {
      best = f1;
      bestCount = rank + 1;
    }
  }
  const keep = new Uint8Array(sharpened.length);
  for (const index of order.subarray(0, bestCount)) keep[index] = 1;
  return { keep, expectedF1: best };
}
