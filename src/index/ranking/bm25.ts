// BM25 with constants tuned on held-out queries: the length penalty and the weight of rare words are slightly above the
// usual.

/** Saturation: how soon further occurrences of a word stop to count. */
export const K1 = 1.2;
/** How much the length of a doc counts, from 0 (not at all) to 1 (fully). */
export const B = 0.85;
export const IDF_POWER = 1.15;
/** Lower bound, so that a word found in nearly every doc never lowers a score. */
const MIN_IDF = 1e-6;

/** The weight of a term in a doc is one byte. So is that of a query word, whose forms are summed up. */
export const MAX_WEIGHT = 255;

/**
 * The factor of f / (f + norm) for a query word. `df` may exceed `docCount`, since a doc may have several forms of the
 * word.
 */
export const wordFactor = (docCount: number, df: number, weight: number): number =>
  Math.max(MIN_IDF, Math.log(1 + (docCount - df + 0.5) / (df + 0.5))) ** IDF_POWER * weight * (K1 + 1);

/** The norm of a doc is `base + slope * length`. */
export function lengthNorm(docCount: number, totalLength: number): { base: number; slope: number } {
  const average = totalLength / docCount || 1;
  return { base: K1 * (1 - B), slope: (K1 * B) / average };
}
