// How close together the words of a query occur in a text: the shortest span that contains all of them.
import type { QueryWord } from '../../text/words/terms.ts';
import { TEXT_MATCH } from './ranking-weights.ts';

/** Only this much of a text is searched, and only this many positions per word are compared. */
const MAX_TEXT_LENGTH = 20_000;
const MAX_POSITIONS = 200;

/** 1 if the words are adjacent, in any order; 0 if one is missing. */
export function proximity(text: string, words: readonly QueryWord[]): number {
  const lower = text.slice(0, MAX_TEXT_LENGTH).toLowerCase();
  const prefixes = words.map(prefixOf);
  const positions: { at: number; word: number }[] = [];
  for (const [word, prefix] of prefixes.entries()) {
    let found = 0;
    for (let at = lower.indexOf(prefix); at !== -1 && found < MAX_POSITIONS; at = lower.indexOf(prefix, at + 1)) {
      positions.push({ at, word });
      found += 1;
    }
    if (found === 0) return 0;
  }
  const minimal = words.reduce((sum, { text: { length } }) => sum + length + 1, -1);
  const shortest = shortestSpan(
    positions.sort((a, b) => a.at - b.at),
    words,
  );
  const { proximityHalfGap } = TEXT_MATCH;
  return proximityHalfGap / (proximityHalfGap + Math.max(0, shortest - minimal));
}

/** The common prefix of a word and its stem: every inflected form starts with it. */
function prefixOf({ text, forms }: QueryWord): string {
  const stem = forms[0] ?? text;
  let end = 0;
  while (end < stem.length && stem[end] === text[end]) end += 1;
  return end === 0 ? text : text.slice(0, end);
}

function shortestSpan(positions: readonly { at: number; word: number }[], words: readonly QueryWord[]): number {
  const last = words.map(() => -1);
  let shortest = Number.POSITIVE_INFINITY;
  for (const { at, word } of positions) {
    last[word] = at;
    const start = Math.min(...last);
    if (start !== -1) shortest = Math.min(shortest, at + words[word]!.text.length - start);
  }
  return shortest;
}
