// The terms of a page with their weights, packed for the exact score: sorted 32-bit hashes, then one byte of weight each.
import type { CountedTerms } from '../../segments/inverted-index.ts';
import { termHash } from '../../segments/postings/term-hash.ts';

/** More different terms than any text has that people write. Further ones count only for finding, not for the score. */
const MOST_TERMS = 20_000;

export interface TermWeights {
  hashes: Uint32Array;
  weights: Uint8Array;
}

export function packWeights({ vocabulary, termIds, weights }: CountedTerms): string {
  const count = Math.min(MOST_TERMS, termIds.length);
  const pairs = Array.from({ length: count }, (_, at) => ({
    hash: termHash(vocabulary[termIds[at]!]!),
    weight: weights[at]!,
  })).sort((a, b) => a.hash - b.hash);
  const bytes = Buffer.alloc(count * 5);
  for (const [at, { hash, weight }] of pairs.entries()) {
    bytes.writeUInt32LE(hash, at * 4);
    bytes[count * 4 + at] = weight;
  }
  return bytes.toString('base64');
}

export function unpackWeights(packed: string): TermWeights {
  const bytes = Uint8Array.from(Buffer.from(packed, 'base64'));
  const count = Math.floor(bytes.length / 5);
  return { hashes: new Uint32Array(bytes.buffer, 0, count), weights: bytes.subarray(count * 4) };
}

/** 0 if the page does not have the term. */
export function weightOf({ hashes, weights }: TermWeights, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? weights[low]! : 0;
}
