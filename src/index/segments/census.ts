// Docs and words counted among the docs that a viewer may see. Scores depend on how rare a word is: counted over all docs,
// the order of results would tell something about the pages of others.
import { type DocTable, LIVE } from './doc-table.ts';
import type { PostingList } from './postings/posting-list.ts';

export interface Census {
  readonly total: number;
  readonly totalLength: number;
  /** How many of the counted docs have the word; a doc with several of its forms may count for each. */
  docsWith(word: CountedWord): number;
}

/** A word with all its postings, and how many docs of the whole index have its forms. */
export interface CountedWord {
  df: number;
  lists: readonly PostingList[];
}

export function takeCensus({ states, lengths, lastId }: DocTable, isCounted: (docId: number) => boolean): Census {
  const docs = new Uint8Array(lastId + 1);
  let total = 0;
  let totalLength = 0;
  for (let docId = 1; docId <= lastId; docId++) {
    if (states[docId] !== LIVE || !isCounted(docId)) continue;
    docs[docId] = 1;
    total += 1;
    totalLength += lengths[docId]!;
  }
  return { total, totalLength, docsWith: ({ lists }) => countIn(docs, lists) };
}

function countIn(docs: Uint8Array, lists: readonly PostingList[]): number {
  let count = 0;
  for (const { docIds } of lists) for (let i = 0; i < docIds.length; i++) count += docs[docIds[i]!] ?? 0;
  return count;
}
