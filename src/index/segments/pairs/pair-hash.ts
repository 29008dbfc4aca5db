// Pairs of neighbouring terms as hashes. A page with a phrase has all pairs of it; few pages that only have its words do.
import { termHash } from '../postings/term-hash.ts';

/** Fewer would let more pages pass that do not have the phrase; more would take more space for each pair of a page. */
export const PAIR_HASHES = 1 << 16;

/** Marks the postings of pairs among those of terms. */
const MARK = '\ue002';
const LOW = 0x100;

/** The hash of two terms next to each other, of which these are the hashes. */
export const pairHash = (first: number, second: number): number =>
  Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> 16;

/** The pairs of a phrase, each once, in ascending order. */
export function phrasePairs(terms: readonly string[]): number[] {
  const hashes = terms.map(termHash);
  const pairs = hashes.slice(1).map((hash, at) => pairHash(hashes[at]!, hash));
  return [...new Set(pairs)].sort((a, b) => a - b);
}

/** What the postings of a pair are found by. The keys are in the order of the hashes. */
export const pairKey = (hash: number): string => MARK + String.fromCharCode(LOW + (hash >> 8), LOW + (hash & 255));
