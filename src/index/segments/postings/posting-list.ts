// The docs that contain a term: encoded as a row of a segment, and decoded as arrays.
import { MAX_WEIGHT } from '../../ranking/bm25.ts';
import { MAX_VARINT_BYTES, writeVarint } from './varint.ts';

/** Ascending doc ids, and the weight of the term in each doc. */
export interface PostingList {
  docIds: Int32Array;
  weights: Uint8Array;
}

export interface PostingRow {
  term: string;
  df: number;
  first: number;
  last: number;
  /** Gaps between the ids after `first`, then the weights. */
  bytes: Uint8Array;
}

export const EMPTY_LIST: PostingList = { docIds: new Int32Array(0), weights: new Uint8Array(0) };

/** Decodes the rows of one term from several segments, in any order: segments do not overlap. */
export function decodePostings(rows: readonly Omit<PostingRow, 'term' | 'last'>[]): PostingList {
  const inOrder = rows.length > 1 ? rows.toSorted((a, b) => a.first - b.first) : rows;
  const df = rows.reduce((sum, row) => sum + row.df, 0);
  const list = { docIds: new Int32Array(df), weights: new Uint8Array(df) };
  let at = 0;
  for (const row of inOrder) {
    decodeRow(row.df, row.first, row.bytes, list, at);
    at += row.df;
  }
  return list;
}

function decodeRow(df: number, first: number, bytes: Uint8Array, { docIds, weights }: PostingList, start: number) {
  let docId = first;
  let at = 0;
  const end = start + df;
  docIds[start] = docId;
  for (let i = start + 1; i < end; i++) {
    let byte = bytes[at++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 127) << shift;
    }
    docId += gap;
    docIds[i] = docId;
  }
  for (let i = start; i < end; i++) weights[i] = bytes[at++]!;
}

export function encodePostings(term: string, { docIds, weights }: PostingList): PostingRow {
  const df = docIds.length;
  if (df === 0) return { term, df, first: 0, last: 0, bytes: weights };
  const bytes = new Uint8Array((df - 1) * MAX_VARINT_BYTES + df);
  let at = 0;
  for (let i = 1; i < df; i++) at = writeVarint(bytes, at, docIds[i]! - docIds[i - 1]!);
  bytes.set(weights, at);
  return { term, df, first: docIds[0]!, last: docIds[df - 1]!, bytes: bytes.subarray(0, at + df) };
}

/** Joins rows of one term, whose ids ascend from row to row, without decoding them. Undefined when all are empty. */
export function concatPostings(all: readonly PostingRow[]): PostingRow | undefined {
  const rows = all.filter(({ df }) => df > 0);
  const head = rows[0];
  if (!head || rows.length === 1) return head;
  let df = 0;
  let length = 0;
  for (const row of rows) {
    df += row.df;
    length += row.bytes.length + MAX_VARINT_BYTES;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  let before = head.first;
  for (const row of rows) {
    if (row !== head) at = writeVarint(bytes, at, row.first - before);
    const gaps = row.bytes.length - row.df;
    bytes.set(row.bytes.subarray(0, gaps), at);
    at += gaps;
    before = row.last;
  }
  for (const row of rows) {
    bytes.set(row.bytes.subarray(row.bytes.length - row.df), at);
    at += row.df;
  }
  return { term: head.term, df, first: head.first, last: before, bytes: bytes.subarray(0, at) };
}

/** The docs of all lists. If a doc is in several, its weights are summed up. */
export function unionLists(lists: readonly PostingList[]): PostingList {
  const filled = lists.filter(({ docIds }) => docIds.length > 0);
  // The longest list last, so that it is traversed only once.
  filled.sort((a, b) => a.docIds.length - b.docIds.length);
  return filled.length === 0 ? EMPTY_LIST : filled.reduce(unionTwo);
}

function unionTwo(a: PostingList, b: PostingList): PostingList {
  const { docIds: longer, weights: longerWeights } = b;
  const docIds = new Int32Array(a.docIds.length + longer.length);
  const weights = new Uint8Array(docIds.length);
  let count = 0;
  let at = 0;
  for (let i = 0; i < a.docIds.length; i++) {
    const docId = a.docIds[i]!;
    while (at < longer.length && longer[at]! < docId) {
      docIds[count] = longer[at]!;
      weights[count++] = longerWeights[at++]!;
    }
    const isInBoth = at < longer.length && longer[at] === docId;
    const weight = isInBoth ? a.weights[i]! + longerWeights[at++]! : a.weights[i]!;
    docIds[count] = docId;
    weights[count++] = Math.min(weight, MAX_WEIGHT);
  }
  docIds.set(longer.subarray(at), count);
  weights.set(longerWeights.subarray(at), count);
  count += longer.length - at;
  return { docIds: docIds.subarray(0, count), weights: weights.subarray(0, count) };
}

/** The weight of the term in a doc; 0 if the doc is not in the list. */
export function weightIn({ docIds, weights }: PostingList, docId: number): number {
  let low = 0;
  let high = docIds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docIds[middle]! < docId) low = middle + 1;
    else high = middle;
  }
  return docIds[low] === docId ? weights[low]! : 0;
}

/** Leaves out the docs for which `isOut` is true. */
export function withoutDocs(list: PostingList, isExcluded: (docId: number) => boolean): PostingList {
  const docIds = new Int32Array(list.docIds.length);
  const weights = new Uint8Array(list.docIds.length);
  let count = 0;
  for (let i = 0; i < docIds.length; i++) {
    const docId = list.docIds[i]!;
    if (isExcluded(docId)) continue;
    docIds[count] = docId;
    weights[count++] = list.weights[i]!;
  }
  return { docIds: docIds.subarray(0, count), weights: weights.subarray(0, count) };
}
