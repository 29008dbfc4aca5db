// Compares a text with the truth: by words in common, or by runs of four words, for which the order matters too.

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

const GRAM = 4;

/** A run of Chinese characters is one word here, as in the published results. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

export const wordScore = (text: string, truth: string): Score => compare(wordsOf(text), wordsOf(truth));

/** A text with fewer words than a run is one run. */
export const gramScore = (text: string, truth: string): Score =>
  compare(gramsOf(wordsOf(text)), gramsOf(wordsOf(truth)));

function gramsOf(words: string[]): string[] {
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - GRAM + 1) }, (_, n) => words.slice(n, n + GRAM).join(' '));
}

/** Precision, recall and F1 of the items that both have, each as often as both have it. */
function compare(found: string[], wanted: string[]): Score {
  if (found.length === 0 || wanted.length === 0) {
    const both = found.length === wanted.length ? 1 : 0;
    return { precision: both, recall: both, f1: both };
  }
  const left = new Map<string, number>();
  for (const item of wanted) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of found) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(item, count - 1);
  }
  const precision = shared / found.length;
  const recall = shared / wanted.length;
  return { precision, recall, f1: harmonic(precision, recall) };
}

export const harmonic = (precision: number, recall: number): number =>
  precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
