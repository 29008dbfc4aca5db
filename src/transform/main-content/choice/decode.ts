// Chooses blocks from their probabilities: the set with the highest expected F1. There is no threshold to tune, and the
// expected F1 itself is an honest estimate of the quality of the result.
import { FLAG } from '../blocks/block-flags.ts';
import type { PageTypeOdds } from '../model/page-type.ts';

export interface Decoded {
  keep: Uint8Array;
  expectedF1: number;
}

/**
 * The exponent of the probabilities. What surrounds an article is rarely content; a page about a service is nearly all
 * content.
 */
export const strictnessOf = ({ article, service }: Pick<PageTypeOdds, 'article' | 'service'>): number =>
  0.95 + 0.75 * (article - 0.3 * service);

/** Code is never what surrounds an article. */
export const sharpen = (probability: Float64Array, flags: ArrayLike<number>, strictness: number): Float64Array =>
  probability.map((each, index) => each ** ((flags[index]! & FLAG.pre) === 0 ? strictness : Math.min(1, strictness)));

/** `words` are the weights of the blocks. */
export function decodeBlocks(probability: Float64Array, words: Float64Array): Decoded {
  const count = probability.length;
  const order = new Uint32Array(count);
  let expected = 0;
  for (let index = 0; index < count; index++) {
    order[index] = index;
    expected += words[index]! * probability[index]!;
  }
  order.sort((a, b) => probability[b]! - probability[a]!);
  let kept = 0;
  let hits = 0;
  let best = 0;
  let bestCount = 0;
  for (let rank = 0; rank < count; rank++) {
    const index = order[rank]!;
    kept += words[index]!;
    hits += words[index]! * probability[index]!;
    const f1 = (2 * hits) / (kept + expected);
    if (f1 > best) {
      best = f1;
      bestCount = rank + 1;
    }
  }
  const keep = new Uint8Array(count);
  for (let rank = 0; rank < bestCount; rank++) keep[order[rank]!] = 1;
  return { keep, expectedF1: best };
}
