// BM25: what a word is worth, and how the length of a doc counts. Its constants are in ranking-weights.ts.
import { BM25 } from './ranking-weights.ts';

/** The weight of a term in a doc is one byte. So is that of a query word, whose forms are summed up. */
export const MAX_WEIGHT = 255;

/**
 * The factor of f / (f + norm) for a query word. `df` may exceed `docCount`, since a doc may have several forms of the
 * word.
 */
export const wordFactor = (docCount: number, df: number, weight: number): number =>
  Math.max(BM25.minIdf, Math.log(1 + (docCount - df + 0.5) / (df + 0.5))) ** BM25.idfPower * weight * (BM25.k1 + 1);

/** The norm of a doc is `base + slope * length`. */
export function lengthNorm(docCount: number, totalLength: number): { base: number; slope: number } {
  const average = totalLength / docCount || 1;
  return { base: BM25.k1 * (1 - BM25.b), slope: (BM25.k1 * BM25.b) / average };
}
