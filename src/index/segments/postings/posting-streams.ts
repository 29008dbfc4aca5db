// Streams of postings in term order, from segments and write buffers, and their merge into one.

import type { Segments } from '../segments.ts';
import type { WriteBuffer } from '../write-buffer.ts';
import { BlockReader, type PostingBlock } from './posting-block.ts';
import { decodePostings, encodePostings, type PostingRow, withoutDocs } from './posting-list.ts';

export interface PostingStream {
  /** The next row in term order, empty if all its docs are excluded; undefined at the end. */
  next(): PostingRow | undefined;
}

export type IsExcluded = (docId: number) => boolean;

/** Blocks read ahead from a segment. Each may be large. */
const BLOCKS_AHEAD = 4;

/** `isOut` is given only if docs are to be excluded, because rows then have to be decoded. */
export function segmentStream(segments: Segments, seg: number, isExcluded: IsExcluded | undefined): PostingStream {
  let blocks: PostingBlock[] = [];
  let at = 0;
  let before = '';
  let reader: BlockReader | undefined;
  const nextRow = (): PostingRow | undefined => {
    const row = reader?.next();
    if (row) return row;
    if (at === blocks.length) {
      blocks = segments.blocksAfter(seg, before, BLOCKS_AHEAD);
      at = 0;
    }
    const block = blocks[at++];
    if (!block) return undefined;
    before = block.term;
    reader = new BlockReader(block.bytes);
    return reader.next();
  };
  return {
    next() {
      const row = nextRow();
      return row && isExcluded ? encodePostings(row.term, withoutDocs(decodePostings([row]), isExcluded)) : row;
    },
  };
}

/** `keys` must be sorted. */
export function bufferStream(
  buffer: WriteBuffer,
  keys: readonly string[],
  isExcluded: IsExcluded | undefined,
): PostingStream {
  let at = 0;
  return {
    next() {
      const key = keys[at++];
      if (key === undefined) return undefined;
      const list = buffer.list(key);
      return encodePostings(key, isExcluded ? withoutDocs(list, isExcluded) : list);
    },
  };
}

/** Returns a function that yields the rows of the next term, in stream order; an empty list at the end. */
export function mergeStreams(streams: readonly PostingStream[]): () => PostingRow[] {
  interface Head {
    row: PostingRow;
    order: number;
  }
  // A heap with the lowest term at the root; of equal terms the earlier stream comes first.
  const heads: Head[] = [];
  const isBefore = (a: Head, b: Head) => a.row.term < b.row.term || (a.row.term === b.row.term && a.order < b.order);
  const sink = (from: number) => {
    const head = heads[from]!;
    let at = from;
    for (let child = at * 2 + 1; child < heads.length; child = at * 2 + 1) {
      if (child + 1 < heads.length && isBefore(heads[child + 1]!, heads[child]!)) child += 1;
      if (!isBefore(heads[child]!, head)) break;
      heads[at] = heads[child]!;
      at = child;
    }
    heads[at] = head;
  };
  const advance = (head: Head) => {
    const row = streams[head.order]!.next();
    if (row) head.row = row;
    else {
      const end = heads.pop()!;
      if (end === head) return;
      heads[0] = end;
    }
    sink(0);
  };

  for (const [order, stream] of streams.entries()) {
    const row = stream.next();
    if (row) heads.push({ row, order });
  }
  for (let at = (heads.length >> 1) - 1; at >= 0; at--) sink(at);

  return () => {
    const rows: PostingRow[] = [];
    for (let head = heads[0]; head && (rows.length === 0 || head.row.term === rows[0]!.term); head = heads[0]) {
      rows.push(head.row);
      advance(head);
    }
    return rows;
  };
}
