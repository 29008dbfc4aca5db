// A single word that the classifier takes for a name here and there, but mostly not, is no name. Found values are replaced
// everywhere, so one mistake would be repeated on the whole page.
import type { Finding } from '../finding.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The share of its places in which a word has to be found. */
const MIN_SHARE = 1 / 3;

/** Whether a word is part of a finding in enough of its places, in capitals or not. */
export type IsLikelyName = (word: string) => boolean;

/** `findings` are sorted and disjoint. */
export function createNameTest(text: string, findings: readonly Finding[]): IsLikelyName {
  const counts = new Map<string, { all: number; found: number }>();
  for (const { start, end } of findings) {
    for (const word of text.slice(start, end).match(WORD) ?? []) counts.set(word.toLowerCase(), { all: 0, found: 0 });
  }
  let at = 0;
  for (const { index, 0: word } of counts.size > 0 ? text.matchAll(WORD) : []) {
    while (at < findings.length && findings[at]!.end <= index) at += 1;
    const count = counts.get(word.toLowerCase());
    if (!count) continue;
    count.all += 1;
    if (at < findings.length && findings[at]!.start <= index) count.found += 1;
  }
  return (word) => {
    const count = counts.get(word.toLowerCase());
    return count !== undefined && count.found >= count.all * MIN_SHARE;
  };
}

/** Without single words of the classifier that are unlikely to be names. */
export const dropUnlikelyWords = (text: string, findings: readonly Finding[], isLikely: IsLikelyName): Finding[] =>
  findings.filter(({ start, end, rule }) => {
    const words = rule === 'classifier' ? (text.slice(start, end).match(WORD) ?? []) : [];
    return words.length !== 1 || isLikely(words[0]!);
  });
