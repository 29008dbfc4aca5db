// The weight of each block in training: every page counts the same whatever its length, and rare page types
// count more.
import type { SetName } from './data.ts';

// Shorter pages count as if they had this many words, so that a nearly empty page does not weigh like an article.
const SMALL_PAGE = 50;
const TYPE_BALANCE = 0.4;
// The truths of magic-html are less exact than those of WCXB.
const MAGIC = 0.7;
// A page with only snippets says little about its other blocks.
const SNIPPET_PAGE = 0.15;

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

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
