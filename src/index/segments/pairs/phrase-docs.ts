// The docs that may have a phrase: all of its terms, and all pairs of neighbours in it. Their text decides.
import type { DocTable } from '../doc-table.ts';
import type { WordPostings } from '../postings/word-postings.ts';
import type { Segments } from '../segments.ts';
import type { WriteBuffer } from '../write-buffer.ts';
import { pairKey, phrasePairs } from './pair-hash.ts';

export interface PhraseSources {
  docs: Pick<DocTable, 'isLive'>;
  segments: Pick<Segments, 'list'>;
  buffers: readonly Pick<WriteBuffer, 'hasPairs'>[];
  lists: Pick<WordPostings, 'load'>;
}

export function docsWithPhrase({ docs, segments, buffers, lists }: PhraseSources, terms: readonly string[]): number[] {
  const words = [...new Set(terms)].map((term) => lists.load({ forms: [term], weight: 1 }).lists);
  const pairs = phrasePairs(terms);
  const ofPairs = pairs.map((hash) => segments.list(pairKey(hash)).docIds);
  const flushed = inAll([...words.map(([list]) => list!.docIds), ...ofPairs]);
  const buffered = buffers.flatMap((buffer, at) =>
    [...inAll(words.map((parts) => parts[at + 1]!.docIds))].filter((docId) => buffer.hasPairs(docId, pairs)),
  );
  return [...flushed, ...buffered].filter((docId) => docs.isLive(docId));
}

/** Begins with the shortest list, so that the others are only looked into. All ascend. */
function inAll(lists: readonly Int32Array[]): Int32Array {
  const [shortest = new Int32Array(0), ...others] = lists.toSorted((a, b) => a.length - b.length);
  return others.reduce(inBoth, shortest);
}

function inBoth(docIds: Int32Array, others: Int32Array): Int32Array {
  let at = 0;
  return docIds.filter((docId) => {
    at = firstFrom(others, at, docId);
    return others[at] === docId;
  });
}

/** The index of the first value from `start` on that is not below `wanted`. It is looked for in steps that double. */
function firstFrom(values: Int32Array, start: number, wanted: number): number {
  let low = start;
  let step = 1;
  for (; low + step < values.length && values[low + step]! < wanted; step *= 2) low += step;
  let high = Math.min(values.length, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
