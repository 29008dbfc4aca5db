// The documents that hold a term, as a row of a segment and as arrays.
import { MAX_WEIGHT } from './scoring.ts';
import { MAX_VARINT_BYTES, writeVarint } from './varint.ts';

/** Ascending numbers, and the weight that the term has in each. */
export interface PostingList {
  numbers: Int32Array;
  weights: Uint8Array;
}

export interface PostingRow {
  term: string;
  df: number;
  first: number;
  last: number;
  /** The gaps after `first`, then the weights. */
  bytes: Uint8Array;
}

export const EMPTY_LIST: PostingList = { numbers: new Int32Array(0), weights: new Uint8Array(0) };

/** Of one term; the rows of different segments, in any order, since segments do not overlap. */
export function decodeRows(rows: readonly Omit<PostingRow, 'term' | 'last'>[]): PostingList {
  const inOrder = rows.length > 1 ? rows.toSorted((a, b) => a.first - b.first) : rows;
  const df = rows.reduce((sum, row) => sum + row.df, 0);
  const list = { numbers: new Int32Array(df), weights: new Uint8Array(df) };
  let at = 0;
  for (const row of inOrder) {
    decodeRow(row.df, row.first, row.bytes, list, at);
    at += row.df;
  }
  return list;
}

function decodeRow(df: number, first: number, bytes: Uint8Array, { numbers, weights }: PostingList, start: number) {
  let number = first;
  let at = 0;
  const end = start + df;
  numbers[start] = number;
  for (let i = start + 1; i < end; i++) {
    let byte = bytes[at++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 127) << shift;
    }
    number += gap;
    numbers[i] = number;
  }
  for (let i = start; i < end; i++) weights[i] = bytes[at++]!;
}

/** Undefined for an empty list. */
export function encodeRow(term: string, { numbers, weights }: PostingList): PostingRow | undefined {
  const df = numbers.length;
  if (df === 0) return undefined;
  const bytes = new Uint8Array((df - 1) * MAX_VARINT_BYTES + df);
  let at = 0;
  for (let i = 1; i < df; i++) at = writeVarint(bytes, at, numbers[i]! - numbers[i - 1]!);
  bytes.set(weights, at);
  return { term, df, first: numbers[0]!, last: numbers[df - 1]!, bytes: bytes.subarray(0, at + df) };
}

/** One row of several of the same term, whose numbers ascend from row to row. Nothing is decoded. */
export function joinRows(rows: readonly PostingRow[]): PostingRow {
  const head = rows[0]!;
  if (rows.length === 1) return head;
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

/** The documents of both; where a document has both, the weights are added up. */
export function uniteLists(a: PostingList, b: PostingList): PostingList {
  if (a.numbers.length === 0) return b;
  if (b.numbers.length === 0) return a;
  const numbers = new Int32Array(a.numbers.length + b.numbers.length);
  const weights = new Uint8Array(numbers.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.numbers.length || j < b.numbers.length) {
    const left = i < a.numbers.length ? a.numbers[i]! : Number.MAX_SAFE_INTEGER;
    const right = j < b.numbers.length ? b.numbers[j]! : Number.MAX_SAFE_INTEGER;
    let weight = 0;
    if (left <= right) weight += a.weights[i++]!;
    if (right <= left) weight += b.weights[j++]!;
    numbers[count] = left < right ? left : right;
    weights[count++] = weight < MAX_WEIGHT ? weight : MAX_WEIGHT;
  }
  return { numbers: numbers.subarray(0, count), weights: weights.subarray(0, count) };
}

/** Without the documents that `isOut`. */
export function withoutNumbers(list: PostingList, isOut: (number: number) => boolean): PostingList {
  const numbers = new Int32Array(list.numbers.length);
  const weights = new Uint8Array(list.numbers.length);
  let count = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = list.numbers[i]!;
    if (isOut(number)) continue;
    numbers[count] = number;
    weights[count++] = list.weights[i]!;
  }
  return { numbers: numbers.subarray(0, count), weights: weights.subarray(0, count) };
}
