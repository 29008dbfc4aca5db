// Texts and expressions that cost RE2 as much as possible: nearly every letter leads to a state that was never seen.

/** Letters a and b in an order that does not repeat. */
export function tangle(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state & 0x10000 ? 'a' : 'b';
  }).join('');
}

export const HOSTILE_EXPRESSIONS = Array.from({ length: 25 }, (_, index) => `[ab]*a[ab]{${300 - index}}[^a-z]`);
