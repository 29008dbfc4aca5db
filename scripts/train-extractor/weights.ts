// The weight of each block in training: every page counts the same whatever its length, rare page types count more, and
// doubtful labels less.
import type { Score } from '../labelled/score.ts';
import type { SetName } from './data.ts';

// Shorter pages count as if they had this many words, so that a nearly empty page does not weigh like an article.
const SMALL_PAGE = 50;
const TYPE_BALANCE = 0.4;
// The truths of magic-html are less exact than those of WCXB.
const MAGIC = 0.7;
// A page with only snippets says little about its other blocks.
const SNIPPET_PAGE = 0.15;
const NOISY = 0.15;
const PSEUDO = 0.5;

const SURELY_CONTENT = 0.8;
const SURELY_NOT = 0.12;

export interface WeighedPage {
  readonly set: SetName;
  readonly type: string;
}

/** The weight of pages by type: rarer types count more, but not in full proportion. Unknown types weigh 1. */
export function balanceTypes(pages: readonly WeighedPage[]): (type: string) => number {
  const counts = new Map<string, number>();
  for (const { type } of pages) counts.set(type, (counts.get(type) ?? 0) + 1);
  return (type) => {
    const count = counts.get(type);
    return count === undefined ? 1 : (pages.length / counts.size / count) ** TYPE_BALANCE;
  };
}

export const setWeight = (set: SetName): number => (set === 'magic-article' || set === 'magic-forum' ? MAGIC : 1);

/** Weights of a page's blocks by their words. The total is the same for long and short pages. */
export function wordWeights(words: Float64Array, labels: Int8Array, truthWords: number, page: number): Float64Array {
  const total = sum(words);
  const size = Math.max(SMALL_PAGE, Math.min(total, 2 * truthWords));
  return words.map((count, i) => (labels[i]! < 0 ? 0 : (page * (count + 0.5)) / size));
}

/** The labelled blocks of a page with only snippets share one small weight. */
export function snippetWeights(labels: Int8Array): Float64Array {
  const labelled = labels.filter((label) => label >= 0).length;
  return Float64Array.from(labels, (label) => (label < 0 ? 0 : SNIPPET_PAGE / labelled));
}

/** Whether a model that never saw the page disagrees so much that the truth is probably wrong. */
export const isNoisy = ({ f1, precision, recall }: Score): boolean => f1 < 0.45 || (recall > 0.9 && precision < 0.5);

export const noiseWeight = (score: Score | undefined): number => (score && isNoisy(score) ? NOISY : 1);

export interface PseudoLabels {
  labels: Int8Array;
  weights: Float64Array;
}

/**
 * Labels for a page with only snippets, from a model that never saw it and whose output contained every wanted snippet:
 * the blocks it was sure of. Blocks on the same path as an unwanted snippet are never content.
 */
export function pseudoLabels(
  probability: ArrayLike<number>,
  words: Float64Array,
  snippetLabels: Int8Array,
  paths: Int32Array,
): PseudoLabels {
  const unwantedPaths = new Set(paths.filter((_, i) => snippetLabels[i] === 0));
  const labels = snippetLabels.map((known, i) => {
    if (known >= 0) return known;
    if (unwantedPaths.has(paths[i]!)) return 0;
    if (probability[i]! > SURELY_CONTENT) return 1;
    return probability[i]! < SURELY_NOT ? 0 : -1;
  });
  const contentWords = sum(words.filter((_, i) => labels[i] === 1));
  return { labels, weights: wordWeights(words, labels, contentWords, PSEUDO) };
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
