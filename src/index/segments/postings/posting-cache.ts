// LRU cache of decoded postings, so that common words are not decoded for every query.
import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { PostingList } from './posting-list.ts';

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

export function createPostingCache(maxBytes: number): PostingCache {
  const words = createBoundedMap<string, FlushedWord>({
    maxWeight: maxBytes,
    weightOf: ({ list }, key) =>
      ENTRY_BYTES + key.length * 2 + list.docIds.buffer.byteLength + list.weights.buffer.byteLength,
  });
  return { get: words.getOrCreate, clear: words.clear };
}
