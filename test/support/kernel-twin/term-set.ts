// The distinct words of a text with their counts. The memory is reused for the next text.
import { mix } from './hashed-words.ts';

export interface TermSet {
  add(low: number, high: number, times?: number): void;
  clear(): void;
  /** Equal for equal sets of words, regardless of order and counts. */
  gist(): [low: number, high: number];
  /** Differs in few bits if most words are equal. */
  simhash(): [low: number, high: number];
}

const SLOTS = 1 << 15;
const MAX_TERMS = SLOTS / 2;
// Words beyond this many collisions are ignored, which bounds the cost of hostile texts.
const MAX_PROBES = 64;
// Further occurrences of a word do not add weight.
const MAX_WEIGHT = 3;

export function createTermSet(): TermSet {
  const lows = new Int32Array(SLOTS);
  const highs = new Int32Array(SLOTS);
  const weights = new Uint8Array(SLOTS);
  const used = new Uint16Array(MAX_TERMS);
  let size = 0;

  return {
    add(low, high, times = 1) {
      let slot = low & (SLOTS - 1);
      for (let probe = 0; probe < MAX_PROBES; probe++) {
        const weight = weights[slot]!;
        if (weight === 0) {
          if (size === MAX_TERMS) return;
          used[size++] = slot;
          lows[slot] = low;
          highs[slot] = high;
          weights[slot] = Math.min(times, MAX_WEIGHT);
          return;
        }
        if (lows[slot] === low && highs[slot] === high) {
          weights[slot] = Math.min(weight + times, MAX_WEIGHT);
          return;
        }
        slot = (slot + 1) & (SLOTS - 1);
      }
    },
    clear() {
      for (let at = 0; at < size; at++) weights[used[at]!] = 0;
      size = 0;
    },
    gist() {
      let low = size;
      let high = size;
      for (let at = 0; at < size; at++) {
        low = (low + lows[used[at]!]!) | 0;
        high = (high + highs[used[at]!]!) | 0;
      }
      return [mix(low), mix(high)];
    },
    simhash: () => [vote(lows, weights, used, size), vote(highs, weights, used, size)],
  };
}

/** Sets each bit that the weighted majority of the terms has set. */
function vote(hashes: Int32Array, weights: Uint8Array, used: Uint16Array, size: number): number {
  const votes = new Int32Array(32);
  let total = 0;
  for (let at = 0; at < size; at++) {
    const slot = used[at]!;
    const hash = hashes[slot]!;
    const weight = weights[slot]!;
    total += weight;
    for (let bit = 0; bit < 32; bit++) votes[bit] = votes[bit]! + ((hash >>> bit) & 1) * weight;
  }
  let result = 0;
  for (let bit = 0; bit < 32; bit++) if (votes[bit]! * 2 > total) result |= 1 << bit;
  return result;
}
