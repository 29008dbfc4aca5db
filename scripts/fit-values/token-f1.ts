// How well an answer fits the right one: by its words, whatever their case and punctuation.

export const normal = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** 1 for the same words, 0 for none in common. */
export function tokenF1(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((text) => normal(text).split(' ').filter(Boolean)) as [string[], string[]];
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of ours) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  return shared === 0 ? 0 : (2 * shared) / (ours.length + theirs.length);
}
