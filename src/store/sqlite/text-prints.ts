// When two texts count as the same, told from their prints.
import type { TextPrint } from '../../contracts/page.ts';

/** Bits in which two SimHashes may differ: the same page with another date or counter ... */
const SAME_PAGE_BITS = 3;
/** ... and pages of an endless family, which also show another order or selection of the same. */
const SAME_FAMILY_BITS = 6;

export const isSamePage = (simhash: string, other: string): boolean => differingBits(simhash, other) <= SAME_PAGE_BITS;

/**
 * Is there nothing in a page that an earlier one of its family had not? Pages found on a page of their own family may be
 * an endless chain and are compared loosely; others only word by word, so that no item of a list is taken for another.
 */
export function isOldText(
  page: { print: TextPrint; isChained: boolean; hasQuery: boolean },
  earlier: readonly TextPrint[],
): boolean {
  const { print, isChained, hasQuery } = page;
  return earlier.some(
    ({ exact, gist, simhash }) =>
      exact === print.exact ||
      (isChained && (gist === print.gist || (hasQuery && differingBits(simhash, print.simhash) <= SAME_FAMILY_BITS))),
  );
}

/** Of two numbers of 64 bits, as 16 hex digits each. */
export const differingBits = (a: string, b: string): number =>
  countBits(Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)) +
  countBits(Number.parseInt(a.slice(8), 16) ^ Number.parseInt(b.slice(8), 16));

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
