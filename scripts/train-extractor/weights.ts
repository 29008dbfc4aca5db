// How much each block counts in training: pages alike whatever their length, rare page types more, doubtful labels
// less.
import type { Score } from '../labelled/score.ts';
import type { SetName } from './data.ts';

// Short pages are held to this many words, so that a few words on a nearly empty page do not weigh like an article.
const SMALL_PAGE = 50;
const TYPE_BALANCE = 0.4;
// magic-html's truths are looser than WCXB's.
const MAGIC = 0.7;
// A page of which only snippets are known says little about its other blocks.
const SNIPPET_PAGE = 0.15;
const NOISY = 0.15;
const PSEUDO = 0.5;

const SURELY_CONTENT = 0.8;
const SURELY_NOT = 0.12;

export interface WeighedPage {
  readonly set: SetName;
  readonly type: string;
}

/** The weight of pages by type: rarer types count more, but less than fully so. Pages of unknown type weigh 1. */
export function balanceTypes(pages: readonly WeighedPage[]): (type: string) => number {
  const counts = new Map<string, number>();
  for (const { type } of pages) counts.set(type, (counts.get(type) ?? 0) + 1);
  return (type) => {
    const count = counts.get(type);
    return count === undefined ? 1 : (pages.length / counts.size / count) ** TYPE_BALANCE;
  };
}

export const setWeight = (set: SetName): number => (set === 'magic-article' || set === 'magic-forum' ? MAGIC : 1);

/** Weights of a page's blocks by their words, the same total for a page whether it is long or short. */
export function wordWeights(words: Float64Array, labels: Int8Array, truthWords: number, page: number): Float64Array {
  const total = sum(words);
  const size = Math.max(SMALL_PAGE, Math.min(total, 2 * truthWords));
  return words.map((count, i) => (labels[i]! < 0 ? 0 : (page * (count + 0.5)) / size));
}

/** A page with snippets only: its labelled blocks share one small weight. */
export function snippetWeights(labels: Int8Array): Float64Array {
  const labelled = labels.filter((label) => label >= 0).length;
  return Float64Array.from(labels, (label) => (label < 0 ? 0 : SNIPPET_PAGE / labelled));
}

/** A model that never saw the page disagrees so much with its truth that the truth is probably wrong. */
export const isNoisy = ({ f1, precision, recall }: Score): boolean => f1 < 0.45 || (recall > 0.9 && precision < 0.5);

export const noiseWeight = (score: Score | undefined): number => (score && isNoisy(score) ? NOISY : 1);

export interface PseudoLabels {
  labels: Int8Array;
  weights: Float64Array;
}

/**
 * Labels for a page with snippets only, from a model that never saw it and whose output held every wanted snippet:
 * what it was sure of, and for certain that blocks on the same path as an unwanted snippet are not content.
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
