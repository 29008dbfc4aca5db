// How good a text is: words shared with the truth (precision, recall, F1), 4-grams for news, snippets found.

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

/** The words that scores count: unlike the labels' tokens, a run of Chinese is one word. */
export const scoreWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

const GRAM = 4;

const gramsOf = (words: readonly string[]): string[] =>
  words.length < GRAM
    ? [words.join(' ')]
    : Array.from({ length: words.length - GRAM + 1 }, (_, i) => words.slice(i, i + GRAM).join(' '));

export const wordScore = (guess: string, truth: string): Score => bagScore(scoreWords(guess), scoreWords(truth));

export const gramScore = (guess: string, truth: string): Score => {
  const [guessed, wanted] = [scoreWords(guess), scoreWords(truth)];
  return bagScore(guessed.length > 0 ? gramsOf(guessed) : [], wanted.length > 0 ? gramsOf(wanted) : []);
};

function bagScore(guess: readonly string[], truth: readonly string[]): Score {
  if (guess.length === 0 || truth.length === 0) {
    const same = guess.length === truth.length ? 1 : 0;
    return { precision: same, recall: same, f1: same };
  }
  const left = new Map<string, number>();
  for (const item of truth) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of guess) {
    const count = left.get(item) ?? 0;
    if (count > 0) {
      shared += 1;
      left.set(item, count - 1);
    }
  }
  const precision = shared / guess.length;
  const recall = shared / truth.length;
  return { precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** The share of the snippets that the text holds, regardless of case and line breaks; `ifNone` if there are none. */
export function snippetShare(text: string, snippets: readonly string[], ifNone: number): number {
  if (snippets.length === 0) return ifNone;
  const flat = flatten(text);
  return snippets.filter((snippet) => flat.includes(flatten(snippet))).length / snippets.length;
}

const flatten = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
