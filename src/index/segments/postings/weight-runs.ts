// The weights of a term in its docs, or of the terms in a doc. Most are 1, so a byte counts some of those and has the next
// weight that is not: in its upper half how many weights of 1 come first, in its lower half what follows.

const MOST_ONES = 15;
/** Lower halves: nothing follows; else the weight less 1, or the next byte has it. */
const NOTHING = 0;
const IN_NEXT_BYTE = 15;

/** No weight is 0. Encoded weights can be joined as they are. */
export function encodeWeights(weights: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(weights.length * 2);
  let at = 0;
  let ones = 0;
  for (const weight of weights) {
    if (weight === 1 && ones < MOST_ONES) ones += 1;
    else if (weight === 1) {
      bytes[at++] = (ones << 4) | NOTHING;
      ones = 1;
    } else {
      const isLarge = weight > IN_NEXT_BYTE;
      bytes[at++] = (ones << 4) | (isLarge ? IN_NEXT_BYTE : weight - 1);
      if (isLarge) bytes[at++] = weight;
      ones = 0;
    }
  }
  if (ones > 0) bytes[at++] = (ones << 4) | NOTHING;
  return bytes.subarray(0, at);
}

/** Writes the weights into `weights` from `start` on. */
export function decodeWeights(bytes: Uint8Array, weights: Uint8Array, start: number): void {
  let next = start;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    for (let ones = byte >> 4; ones > 0; ones--) weights[next++] = 1;
    const follows = byte & 15;
    if (follows === NOTHING) continue;
    weights[next++] = follows === IN_NEXT_BYTE ? bytes[++at]! : follows + 1;
  }
}
