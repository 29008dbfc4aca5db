// The docs that contain a term: encoded as in a segment, and decoded as arrays.
import { MAX_WEIGHT } from '../../ranking/bm25.ts';
import { decodeGaps, encodeGaps } from './gap-bits.ts';
import { decodeWeights, encodeWeights } from './weight-runs.ts';

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
  /** The weight of the term in every doc; 0 if they differ. */
  weight: number;
  /** Between the ids after `first`. */
  gaps: Uint8Array;
  /** Encoded; empty if they are all the same. */
  weights: Uint8Array;
}

export const EMPTY_LIST: PostingList = { docIds: new Int32Array(0), weights: new Uint8Array(0) };

/** Decodes the rows of one term from several segments, in any order: segments do not overlap. */
export function decodePostings(rows: readonly PostingRow[]): PostingList {
  const inOrder = rows.length > 1 ? rows.toSorted((a, b) => a.first - b.first) : rows;
  const df = rows.reduce((sum, row) => sum + row.df, 0);
  const list = { docIds: new Int32Array(df), weights: new Uint8Array(df) };
  let at = 0;
  for (const row of inOrder) {
    decodeRow(row, list, at);
    at += row.df;
  }
  return list;
}

function decodeRow(row: PostingRow, { docIds, weights }: PostingList, start: number) {
  decodeGaps(row.gaps, row, docIds, start);
  if (row.weight === 0) decodeWeights(row.weights, weights, start);
  else weights.fill(row.weight, start, start + row.df);
}

const NO_BYTES = new Uint8Array(0);

export function encodePostings(term: string, { docIds, weights }: PostingList): PostingRow {
  const df = docIds.length;
  if (df === 0) return { term, df, first: 0, last: 0, weight: 0, gaps: NO_BYTES, weights: NO_BYTES };
  const weight = weights.every((one) => one === weights[0]) ? weights[0]! : 0;
  return {
    ...{ term, df, first: docIds[0]!, last: docIds[df - 1]!, weight },
    gaps: encodeGaps(docIds),
    weights: weight === 0 ? encodeWeights(weights) : NO_BYTES,
  };
}

/** Joins rows of one term from several segments. Undefined when all are empty. */
export function joinPostings(all: readonly PostingRow[]): PostingRow | undefined {
  const rows = all.filter(({ df }) => df > 0);
  const [head] = rows;
  return head && rows.length > 1 ? encodePostings(head.term, decodePostings(rows)) : head;
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
