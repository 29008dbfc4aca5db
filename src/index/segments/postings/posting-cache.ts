// Decoded postings of the words that were asked for last, so that common words are not decoded for every query.
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
  // In the order of their last use.
  const entries = new Map<string, FlushedWord>();
  let bytes = 0;

  const sizeOf = (key: string, { list }: FlushedWord) =>
    ENTRY_BYTES + key.length * 2 + list.docIds.buffer.byteLength + list.weights.buffer.byteLength;
  const makeRoom = () => {
    for (const [key, word] of entries) {
      if (bytes <= maxBytes) return;
      entries.delete(key);
      bytes -= sizeOf(key, word);
    }
  };

  return {
    get(key, load) {
      const known = entries.get(key);
      const word = known ?? load();
      if (known) entries.delete(key);
      else bytes += sizeOf(key, word);
      entries.set(key, word);
      makeRoom();
      return word;
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}
