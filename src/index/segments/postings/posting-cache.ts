// Decoded postings of the words that were asked for last, so that common words are not decoded for every query.
import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { PostingList } from './posting-list.ts';

export interface FlushedWord {
  /** The sum over its forms. */
  df: number;
  list: PostingList;
}

export interface PostingCache {
  get(key: string, load: () => FlushedWord): FlushedWord;
  /** What is kept is of the segments that were; they have changed. */
  clear(): void;
}

/** What an entry takes beside its postings, roughly. */
const ENTRY_BYTES = 400;

export function createPostingCache(maxBytes: number): PostingCache {
  const words = createBoundedMap<string, FlushedWord>({
    maxWeight: maxBytes,
    weightOf: ({ list }, key) =>
      ENTRY_BYTES + key.length * 2 + list.docIds.buffer.byteLength + list.weights.buffer.byteLength,
  });
  return { get: words.getOrCreate, clear: words.clear };
}
