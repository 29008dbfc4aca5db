// Estimates a quantile from the buckets of a histogram.

/** Within a bucket, values count as spread evenly. Above the last bound, the bound is the answer. NaN without values. */
export function quantileOf(counts: readonly number[], bounds: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return Number.NaN;
  const wanted = total * share;
  let seen = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && seen + count >= wanted) {
      const [from, to] = [bounds[at - 1] ?? 0, bounds[at]];
      return to === undefined ? from : from + ((wanted - seen) / count) * (to - from);
    }
    seen += count;
  }
  return bounds.at(-1)!;
}
