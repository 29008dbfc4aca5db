// BM25 with the constants that did best on held-out questions: long documents are held back a little more than usual,
// and rare words count a little more.

/** How soon another occurrence of a word stops to matter. */
export const K1 = 1.2;
/** How much a document's length counts: 0 not at all, 1 in full. */
export const B = 0.85;
export const IDF_POWER = 1.15;
/** A word that nearly every document has still counts for something, so that it never counts against one. */
const MIN_IDF = 1e-6;

/** A document's weight of a term is one byte; so is that of a word, whose forms are added up. */
export const MAX_WEIGHT = 255;

/** What a word counts: the factor of f / (f + norm). Several forms in one document may make `df` higher than `documents`. */
export const wordFactor = (docCount: number, df: number, weight: number): number =>
  Math.max(MIN_IDF, Math.log(1 + (docCount - df + 0.5) / (df + 0.5))) ** IDF_POWER * weight * (K1 + 1);

/** The norm of a document is `base + slope * length`. */
export function lengthNorm(docCount: number, totalLength: number): { base: number; slope: number } {
  const average = totalLength / docCount || 1;
  return { base: K1 * (1 - B), slope: (K1 * B) / average };
}
