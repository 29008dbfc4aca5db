// How close a page's Markdown comes to its labels. Only words count: what is markup in Markdown is taken out first.

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

const SHINGLE = 4;

// What stands behind a link's or an image's text: an address in brackets, perhaps with a title.
const ADDRESS = String.raw`\((?:<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)`;
const IMAGE = new RegExp(String.raw`!\[(?:[^\[\]]|\[[^\]]*\])*\]${ADDRESS}`, 'g');
const LINK_END = new RegExp(String.raw`\]${ADDRESS}`, 'g');
const FENCE = /^\s*(?:```|~~~)[^\n]*$/gm;
const TAG = /<[^>\n]+>/g;
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|>~])/g;
const EMPHASIS = /[*`]+/g;

/** The text a reader of the rendered Markdown would see, less its images. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(IMAGE, ' ')
    .replace(LINK_END, '] ')
    .replace(FENCE, '')
    .replace(TAG, ' ')
    .replace(ESCAPED, '$1')
    .replace(EMPHASIS, '');

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Words in common, each as often as both have it. */
export const wordScore = (text: string, truth: string): Score => compare(wordsOf(text), wordsOf(truth));

/** Runs of four words in common: order counts, too. A text of fewer words is one run. */
export const shingleScore = (text: string, truth: string): Score =>
  compare(shingles(wordsOf(text)), shingles(wordsOf(truth)));

function shingles(words: string[]): string[] {
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - SHINGLE + 1) }, (_, n) =>
    words.slice(n, n + SHINGLE).join(' '),
  );
}

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

/** The share of the snippets that the text holds, letter case aside. */
export function snippetShare(text: string, snippets: string[]): number {
  const lower = text.toLowerCase();
  return snippets.filter((snippet) => lower.includes(snippet.toLowerCase())).length / snippets.length;
}

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
