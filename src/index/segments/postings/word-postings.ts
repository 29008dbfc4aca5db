// Loads all postings of a query word, from segments and write buffers.

import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { LoadedWord } from '../../ranking/ranker.ts';
import type { RankedWord } from '../inverted-index.ts';
import type { Segments } from '../segments.ts';
import type { WriteBuffer } from '../write-buffer.ts';
import type { PostingList } from './posting-list.ts';
import { unionLists } from './posting-list.ts';
import { termKey } from './term-key.ts';

export interface WordPostings {
  /** One list for all segments, then one for each buffer. */
  load(word: RankedWord): LoadedWord;
  docFrequency(term: string): number;
  /** Drops cached postings of segments that no longer exist. */
  segmentsChanged(): void;
}

export function createWordPostings(
  segments: Segments,
  buffers: readonly WriteBuffer[],
  cacheBytes: number,
): WordPostings {
  const cache = createPostingCache(cacheBytes);

  const loadFlushed = (keys: readonly string[]) => {
    const lists = keys.map((key) => segments.list(key));
    return { df: lists.reduce((sum, { docIds }) => sum + docIds.length, 0), list: unionLists(lists) };
  };

  return {
    load({ forms, weight }) {
      const keys = [...new Set(forms)].map(termKey);
      const flushed = cache.get(keys.join('\0'), () => loadFlushed(keys));
      const inBuffers = buffers.map((buffer) => unionLists(keys.map((key) => buffer.list(key))));
      const df = buffers.reduce(
        (sum, buffer) => keys.reduce((part, key) => part + buffer.docFrequency(key), sum),
        flushed.df,
      );
      return { df, weight, lists: [flushed.list, ...inBuffers] };
    },
    docFrequency(term) {
      const key = termKey(term);
      return buffers.reduce((sum, buffer) => sum + buffer.docFrequency(key), segments.docFrequency(key));
    },
    segmentsChanged: () => cache.clear(),
  };
}

export interface FlushedWord {
  /** Sum over all forms of the word. */
  df: number;
  list: PostingList;
}

export interface PostingCache {
  get(key: string, load: () => FlushedWord): FlushedWord;
  /** Call when the segments have changed. */
  clear(): void;
}

/** Approximate overhead of an entry besides its postings. */
const ENTRY_BYTES = 400;

/** An LRU cache of decoded postings, so that common words are not decoded for every query. */
export function createPostingCache(maxBytes: number): PostingCache {
  const words = createBoundedMap<string, FlushedWord>({
    maxWeight: maxBytes,
    weightOf: ({ list }, key) =>
      ENTRY_BYTES + key.length * 2 + list.docIds.buffer.byteLength + list.weights.buffer.byteLength,
  });
  return { get: words.getOrCreate, clear: words.clear };
}
