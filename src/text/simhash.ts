// Compares SimHash fingerprints: the fewer bits differ, the more alike the texts are.

/** How many bits differ between two 64-bit fingerprints, each written as 16 hex digits. */
export const differingBits = (a: string, b: string): number =>
  countBits(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) +
  countBits(Number.parseInt(a.slice(8), 16) ^ Number.parseInt(b.slice(8), 16));

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
