// The most frequent terms that begin with what somebody has typed so far.
import type { CompletionRequest } from './inverted-index.ts';
import { termKey } from './postings/term-key.ts';
import type { WordPostings } from './postings/word-postings.ts';
import type { Segments } from './segments.ts';
import type { WriteBuffer } from './write-buffer.ts';

export interface TermSources {
  segments: Pick<Segments, 'keysStarting'>;
  buffers: readonly Pick<WriteBuffer, 'keysStarting'>[];
  lists: Pick<WordPostings, 'load'>;
}

/** With a census, the postings of this many terms are read: most frequent terms of all may be on pages of others. */
const MOST_COUNTED = 150;

export function completeTerm(
  { segments, buffers, lists }: TermSources,
  { prefix, most, census }: CompletionRequest,
): string[] {
  const start = termKey(prefix);
  // Nobody types keys that had to be escaped.
  const frequencies = new Map<string, number>();
  for (const { key, df } of [segments, ...buffers].flatMap((source) => source.keysStarting(start)))
    if (termKey(key) === key) frequencies.set(key, (frequencies.get(key) ?? 0) + df);
  const frequent = byFrequency(frequencies).slice(0, census ? MOST_COUNTED : most);
  if (!census) return frequent.filter((key) => frequencies.get(key)! > 0);
  const counted = new Map(frequent.map((key) => [key, census.docsWith(lists.load({ forms: [key], weight: 1 }))]));
  return byFrequency(counted)
    .filter((key) => counted.get(key)! > 0)
    .slice(0, most);
}

const byFrequency = (frequencies: ReadonlyMap<string, number>): string[] =>
  [...frequencies].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key]) => key);
