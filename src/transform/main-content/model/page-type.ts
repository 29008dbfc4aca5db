// Input of the page-type classifier: the features of the page, and how the words spread over the block flags, once
// counting all words and once weighted by the probability that they are content.
import { FLAG } from '../blocks/block-flags.ts';
import type { BlockTable } from '../blocks/block-table.ts';
import { PAGE_FEATURES } from '../features/page-wide.ts';

export const PAGE_TYPES = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'] as const;

/** How likely the page is of each type. */
export type PageTypeOdds = Readonly<Record<(typeof PAGE_TYPES)[number], number>>;

export const pageTypeOdds = (probabilities: ArrayLike<number>): PageTypeOdds =>
  Object.fromEntries(PAGE_TYPES.map((type, index) => [type, probabilities[index]!])) as PageTypeOdds;

const BITS = Object.values(FLAG);

export const PAGE_TYPE_COLUMNS: number = PAGE_FEATURES.length + 2 * BITS.length + 2;

/** `page` has the features of the page itself. */
export function pageTypeRow(
  { words, flags }: Pick<BlockTable, 'words' | 'flags'>,
  page: Float32Array,
  probability: Float64Array,
): Float32Array {
  const row = new Float32Array(PAGE_TYPE_COLUMNS);
  row.set(page);
  let all = 0;
  let likely = 0;
  for (let index = 0; index < words.length; index++) {
    all += words[index]!;
    likely += words[index]! * probability[index]!;
  }
  const ofAll = page.length;
  const ofLikely = page.length + BITS.length;
  for (let index = 0; index < words.length; index++) {
    for (let bit = 0; bit < BITS.length; bit++) {
      if ((flags[index]! & BITS[bit]!) === 0) continue;
      row[ofAll + bit]! += words[index]! / (all || 1);
      row[ofLikely + bit]! += (words[index]! * probability[index]!) / (likely || 1);
    }
  }
  row[row.length - 2] = likely;
  row[row.length - 1] = likely / (all || 1);
  return row;
}
