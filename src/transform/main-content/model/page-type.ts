// Input of the page-type classifier: the page-wide features, and how the words spread over the block flags, once
// counting all words and once weighted by the probability that they are content.
import { FLAG } from '../blocks/block-flags.ts';

export const PAGE_TYPES = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'] as const;

const BITS = Object.values(FLAG);

/** The part of a block that is needed here; training keeps no more than that. */
interface FlaggedBlocks {
  readonly list: readonly { readonly stats: { readonly words: number }; readonly flags: number }[];
}

/** `page` is the page-wide family of the block features. */
export function pageTypeRow({ list }: FlaggedBlocks, page: Float32Array, probability: Float64Array): Float32Array {
  const row = new Float32Array(page.length + 2 * BITS.length + 2);
  row.set(page);
  let words = 0;
  let likely = 0;
  for (const [index, { stats }] of list.entries()) {
    words += stats.words;
    likely += stats.words * probability[index]!;
  }
  const all = page.length;
  const kept = page.length + BITS.length;
  for (const [index, { stats, flags }] of list.entries()) {
    for (let bit = 0; bit < BITS.length; bit++) {
      if ((flags & BITS[bit]!) === 0) continue;
      row[all + bit]! += stats.words / (words || 1);
      row[kept + bit]! += (stats.words * probability[index]!) / (likely || 1);
    }
  }
  row[row.length - 2] = likely;
  row[row.length - 1] = likely / (words || 1);
  return row;
}
