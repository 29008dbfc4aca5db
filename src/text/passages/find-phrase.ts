// Finds phrases: the same words in the same order, whatever their case, width and separators. In scripts without spaces or
// with attached particles, letters are compared instead, so a match may start anywhere.
import { PLAIN } from '../words/character-classes.ts';
import { ASCII, scanWords } from '../words/tokenizer.ts';

export function containsPhrase(text: string, phrase: string): boolean {
  let isHeld = false;
  eachPhrase(text, phrase, () => {
    isHeld = true;
  });
  return isHeld;
}

/** Every occurrence. A phrase without words is searched for literally, once. */
export function eachPhrase(text: string, phrase: string, visit: (start: number, end: number) => void): void {
  const wanted: string[] = [];
  eachUnit(phrase, (unit) => wanted.push(unit));
  if (wanted.length === 0) {
    const at = text.indexOf(phrase.trim());
    if (at !== -1) visit(at, at + phrase.trim().length);
    return;
  }
  const failures = failureTable(wanted);
  /** Start positions of the last `wanted.length` units. */
  const starts = new Array<number>(wanted.length).fill(0);
  let count = 0;
  let matched = 0;
  eachUnit(text, (unit, start, end) => {
    starts[count % wanted.length] = start;
    count += 1;
    while (matched > 0 && wanted[matched] !== unit) matched = failures[matched - 1]!;
    if (wanted[matched] === unit) matched += 1;
    if (matched === wanted.length) {
      visit(starts[count % wanted.length]!, end);
      matched = failures[matched - 1]!;
    }
  });
}

function eachUnit(text: string, visit: (unit: string, start: number, end: number) => void): void {
  scanWords(text, (word, start, end, kind) => {
    if (kind === ASCII || kind === PLAIN) {
      visit(word, start, end);
      return;
    }
    const isInPlace = word.length === end - start;
    for (let at = 0; at < word.length; at += 1) {
      if (isInPlace) visit(word[at]!, start + at, start + at + 1);
      else visit(word[at]!, start, end);
    }
  });
}

/** The Knuth-Morris-Pratt failure table: how much of the phrase still matches after a mismatch. */
function failureTable(wanted: readonly string[]): number[] {
  const failures = [0];
  let fitting = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (fitting > 0 && wanted[at] !== wanted[fitting]) fitting = failures[fitting - 1]!;
    if (wanted[at] === wanted[fitting]) fitting += 1;
    failures.push(fitting);
  }
  return failures;
}
