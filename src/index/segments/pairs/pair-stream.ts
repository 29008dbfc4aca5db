// The pairs of a write buffer as postings: by doc in the buffer, by pair in a segment. They are turned around a range of
// hashes at a time, since all at once would take as much memory again as the buffer.
import { encodePostings, type PostingRow } from '../postings/posting-list.ts';
import type { IsExcluded, PostingStream } from '../postings/posting-streams.ts';
import { VarintReader } from '../postings/varint.ts';
import type { WriteBuffer } from '../write-buffer.ts';
import { PAIR_HASHES, pairKey } from './pair-hash.ts';

const RANGE = 1_024;

/** The pairs of a doc, read up to some hash. */
interface Cursor {
  docId: number;
  reader: VarintReader;
  /** The next one; PAIR_HASHES at the end. */
  hash: number;
}

export function pairStream(buffer: WriteBuffer, isExcluded: IsExcluded | undefined): PostingStream {
  let cursors: Cursor[] | undefined;
  let docsOfRange: number[][] = [];
  let next = 0;

  const readRange = () => {
    cursors ??= cursorsOf(buffer, isExcluded);
    docsOfRange = Array.from({ length: RANGE }, () => []);
    for (const cursor of cursors) {
      const { reader } = cursor;
      for (; cursor.hash < next + RANGE; cursor.hash = reader.isAtEnd ? PAIR_HASHES : cursor.hash + reader.gap())
        docsOfRange[cursor.hash - next]!.push(cursor.docId);
    }
  };
  return {
    next() {
      for (; next < PAIR_HASHES; next++) {
        if (next % RANGE === 0) readRange();
        const docIds = docsOfRange[next % RANGE]!;
        if (docIds.length > 0) return rowOf(next++, docIds);
      }
      return undefined;
    },
  };
}

function cursorsOf(buffer: WriteBuffer, isExcluded: IsExcluded | undefined): Cursor[] {
  const cursors: Cursor[] = [];
  buffer.eachDoc((docId, pairs) => {
    if (pairs.length === 0 || isExcluded?.(docId)) return;
    const reader = new VarintReader(pairs);
    cursors.push({ docId, reader, hash: reader.gap() });
  });
  return cursors;
}

const rowOf = (hash: number, docIds: readonly number[]): PostingRow =>
  encodePostings(pairKey(hash), {
    docIds: Int32Array.from(docIds),
    weights: new Uint8Array(docIds.length).fill(1),
  });
