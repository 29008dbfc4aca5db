// A single word that the classifier takes for a name here and there, but mostly not, is no name. Found values are replaced
// everywhere, so one mistake would be repeated on the whole page.
import type { Finding } from '../finding.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The share of its places in which a word has to be found. */
const MIN_SHARE = 1 / 3;

/** `findings` are sorted and disjoint. */
export function dropUnlikelyWords(text: string, findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, { all: number; found: number }>();
  for (const finding of findings) {
    const word = singleWord(text, finding);
    if (word !== undefined) counts.set(word, { all: 0, found: 0 });
  }
  if (counts.size === 0) return [...findings];
  let at = 0;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    while (at < findings.length && findings[at]!.end <= index) at += 1;
    const count = counts.get(word);
    if (!count) continue;
    count.all += 1;
    if (at < findings.length && findings[at]!.start <= index) count.found += 1;
  }
  return findings.filter((finding) => {
    const word = singleWord(text, finding);
    const count = word === undefined ? undefined : counts.get(word);
    return !count || count.found >= count.all * MIN_SHARE;
  });
}

function singleWord(text: string, { start, end, rule }: Finding): string | undefined {
  if (rule !== 'classifier') return undefined;
  const value = text.slice(start, end);
  return value.match(WORD)?.length === 1 ? value : undefined;
}
