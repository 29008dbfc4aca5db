// Whether a text holds a phrase: the very words in that order, whatever their case, width and what stands between them. Where
// no spaces part words (and where particles are written on to them) letter by letter, so that the border of a word is anywhere.

import { PLAIN } from './characters.ts';
import { ASCII, scanWords } from './words.ts';

export function holdsPhrase(text: string, phrase: string): boolean {
  let isHeld = false;
  eachPhrase(text, phrase, () => {
    isHeld = true;
  });
  return isHeld;
}

/** Every place where it stands. A phrase without words stands where its signs do. */
export function eachPhrase(text: string, phrase: string, visit: (start: number, end: number) => void): void {
  const wanted: string[] = [];
  eachUnit(phrase, (unit) => wanted.push(unit));
  if (wanted.length === 0) {
    const at = text.indexOf(phrase.trim());
    if (at !== -1) visit(at, at + phrase.trim().length);
    return;
  }
  const retreats = retreatsOf(wanted);
  /** Where the last units began, as many as are wanted. */
  const starts = new Array<number>(wanted.length).fill(0);
  let count = 0;
  let matched = 0;
  eachUnit(text, (unit, start, end) => {
    starts[count % wanted.length] = start;
    count += 1;
    while (matched > 0 && wanted[matched] !== unit) matched = retreats[matched - 1]!;
    if (wanted[matched] === unit) matched += 1;
    if (matched === wanted.length) {
      visit(starts[count % wanted.length]!, end);
      matched = retreats[matched - 1]!;
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

/** How much of the beginning still fits when the next unit does not (Knuth, Morris, Pratt): no text is read twice. */
function retreatsOf(wanted: readonly string[]): number[] {
  const retreats = [0];
  let fitting = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (fitting > 0 && wanted[at] !== wanted[fitting]) fitting = retreats[fitting - 1]!;
    if (wanted[at] === wanted[fitting]) fitting += 1;
    retreats.push(fitting);
  }
  return retreats;
}
