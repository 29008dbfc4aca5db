// The pairs of a page as ascending hashes, packed as the gaps between them: a byte or two for each.
import { TWO_BYTE_GAP, VarintReader, writeGap } from '../postings/varint.ts';
import { PAIR_HASHES } from './pair-hash.ts';

/** All hashes, and a further byte for each gap that needs one. */
const LONGEST = PAIR_HASHES + Math.ceil(PAIR_HASHES / TWO_BYTE_GAP);
const BITS = 32;

/** Gathers the pairs of one page at a time. */
export class PairSet {
  readonly #bits = new Uint32Array(PAIR_HASHES / BITS);
  readonly #packed = new Uint8Array(LONGEST);

  add(hash: number): void {
    this.#bits[hash >>> 5]! |= 1 << (hash & 31);
  }

  /** Packs the pairs, and begins anew. */
  take(): Uint8Array {
    const bits = this.#bits;
    let at = 0;
    let before = 0;
    for (let word = 0; word < bits.length; word++) {
      for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
        const hash = word * BITS + 31 - Math.clz32(rest & -rest);
        at = writeGap(this.#packed, at, hash - before);
        before = hash;
      }
      bits[word] = 0;
    }
    return this.#packed.slice(0, at);
  }
}

/** Whether packed pairs include all of these, which ascend. */
export function hasPairs(packed: Uint8Array, wanted: readonly number[]): boolean {
  const reader = new VarintReader(packed);
  let found = 0;
  for (let hash = 0; found < wanted.length && !reader.isAtEnd; ) {
    hash += reader.gap();
    if (hash === wanted[found]) found += 1;
    else if (hash > wanted[found]!) return false;
  }
  return found === wanted.length;
}
