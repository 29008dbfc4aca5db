// All postings of a word, from the segments and the tails.

import { createListCache } from './list-cache.ts';
import { uniteLists } from './posting-list.ts';
import type { RankedWord } from './postings.ts';
import type { LoadedWord } from './rank.ts';
import type { Segments } from './segments.ts';
import type { Tail } from './tail.ts';
import { termKey } from './term-key.ts';

export interface WordLists {
  load(word: RankedWord): LoadedWord;
  frequency(term: string): number;
  /** Other segments are there now: what is remembered of those before is forgotten. */
  segmentsChanged(): void;
}

export function createWordLists(segments: Segments, tails: readonly Tail[], cacheBytes: number): WordLists {
  const cache = createListCache(cacheBytes);

  const loadSealed = (keys: readonly string[]) => {
    const lists = keys.map((key) => segments.list(key));
    return { df: lists.reduce((sum, { numbers }) => sum + numbers.length, 0), list: uniteLists(lists) };
  };

  return {
    load({ forms, weight }) {
      const keys = [...new Set(forms)].map(termKey);
      const sealed = cache.get(keys.join('\0'), () => loadSealed(keys));
      const inTails = tails.map((tail) => uniteLists(keys.map((key) => tail.list(key))));
      const df = tails.reduce((sum, tail) => keys.reduce((part, key) => part + tail.frequency(key), sum), sealed.df);
      return { df, weight, lists: [sealed.list, ...inTails] };
    },
    frequency(term) {
      const key = termKey(term);
      return tails.reduce((sum, tail) => sum + tail.frequency(key), segments.frequency(key));
    },
    segmentsChanged: () => cache.clear(),
  };
}
