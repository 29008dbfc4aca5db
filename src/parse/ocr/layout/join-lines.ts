// Joins words and lines to running text: spaces where the script has them, and hyphenated words rejoined.
import type { OcrWord } from '../engine/hocr.ts';

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const ENDS_WITH_HYPHEN = /\p{L}[-\u2010\u00ad\u00ac]$/u;
const STARTS_LOWER_CASE = /^\p{Ll}/u;

export function joinWords(words: readonly OcrWord[]): string {
  let text = '';
  for (const word of words) text = joinTexts(text, word.text);
  return text;
}

/** Joins wrapped lines. `compounds`: hyphenated words that occur within a line of the same page. */
export function joinLines(lines: readonly string[], compounds: ReadonlySet<string>): string {
  let text = '';
  for (const line of lines) {
    if (ENDS_WITH_HYPHEN.test(text) && STARTS_LOWER_CASE.test(line)) text = joinBroken(text, line, compounds);
    else text = joinTexts(text, line);
  }
  return text;
}

/** Words like "well-known", in lower case. */
export function findCompounds(lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/\p{L}+-\p{L}+/gu) ?? []));
}

function joinBroken(text: string, line: string, compounds: ReadonlySet<string>): string {
  const bare = text.slice(0, -1);
  const before = /\p{L}+$/u.exec(bare.slice(-60))?.[0] ?? '';
  const after = /^\p{L}+/u.exec(line)?.[0] ?? '';
  return compounds.has(`${before}-${after}`.toLowerCase()) ? `${bare}-${line}` : bare + line;
}

function joinTexts(text: string, next: string): string {
  const needsNoSpace = text === '' || (UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1)));
  return needsNoSpace ? text + next : `${text} ${next}`;
}
