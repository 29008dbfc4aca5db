// A set of texts that keeps 8 bytes of each: a million hosts take 16 MB. Two texts are mistaken for each other once in about
// 10^19 pairs. It grows in parts, so that no call takes long.

export interface FingerprintSet {
  readonly size: number;
  add(text: string): void;
  has(text: string): boolean;
}

const PARTS = 256;
const FIRST_SLOTS = 64;
const MAX_LOAD = 0.6;

/** `seeds` make the places of entries unpredictable: a hostile list cannot aim at one place. */
export function createFingerprintSet(seeds = crypto.getRandomValues(new Uint32Array(2))): FingerprintSet {
  const [firstSeed = 1, secondSeed = 2] = seeds;
  // Pairs of the two halves. A pair of zeros is free.
  const parts = Array.from({ length: PARTS }, () => ({ slots: new Uint32Array(2 * FIRST_SLOTS), used: 0 }));
  let size = 0;

  /** Both halves, in one number each. */
  const fingerprintOf = (text: string): [number, number] => {
    let [a, b] = [firstSeed, secondSeed];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x5f356495);
      b ^= a >>> 15;
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    return [a >>> 0, (b | 1) >>> 0];
  };

  /** Where the pair is, or the free place where it belongs. */
  const placeOf = (slots: Uint32Array, a: number, b: number): number => {
    const last = slots.length / 2 - 1;
    let place = (a >>> 8) & last;
    while (slots[2 * place + 1] !== 0 && (slots[2 * place] !== a || slots[2 * place + 1] !== b))
      place = (place + 1) & last;
    return 2 * place;
  };

  const grown = (slots: Uint32Array) => {
    const larger = new Uint32Array(2 * slots.length);
    for (let at = 0; at < slots.length; at += 2) {
      const [a, b] = [slots[at]!, slots[at + 1]!];
      if (b === 0) continue;
      const place = placeOf(larger, a, b);
      larger[place] = a;
      larger[place + 1] = b;
    }
    return larger;
  };

  return {
    get size() {
      return size;
    },
    add(text) {
      const [a, b] = fingerprintOf(text);
      const part = parts[a % PARTS]!;
      const place = placeOf(part.slots, a, b);
      if (part.slots[place + 1] !== 0) return;
      part.slots[place] = a;
      part.slots[place + 1] = b;
      part.used += 1;
      size += 1;
      if (part.used > (part.slots.length / 2) * MAX_LOAD) part.slots = grown(part.slots);
    },
    has(text) {
      const [a, b] = fingerprintOf(text);
      const { slots } = parts[a % PARTS]!;
      return slots[placeOf(slots, a, b) + 1] !== 0;
    },
  };
}
