// Adds what texts mean to what their words score. Both count as deviations from their mean, because neither has a scale.

export interface MeaningScore {
  score: number;
  /** The part of the meaning. */
  meaning: number;
}

/**
 * `cosines`: how near each text is to the query, undefined if that is not known. `weight`: of the meaning, compared with the
 * words. Undefined if too little is known to compare anything.
 */
export function withMeaning(
  scores: readonly number[],
  cosines: readonly (number | undefined)[],
  weight: number,
): MeaningScore[] | undefined {
  const known = cosines.filter((one) => one !== undefined);
  if (known.length < 2) return undefined;
  const words = spreadOf(scores.slice(0, cosines.length));
  const meanings = spreadOf(known);
  // A text without a vector is taken to mean as much as its words do, so it keeps its place among the others.
  const standings = scores.map((score, at) => {
    const own = cosines[at];
    return own === undefined ? (score - words.mean) / words.deviation : (own - meanings.mean) / meanings.deviation;
  });
  const lowest = Math.min(...standings);
  return scores.map((score, at) => {
    const meaning = (standings[at]! - lowest) * words.deviation * weight;
    return { score: score + meaning, meaning };
  });
}

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}
