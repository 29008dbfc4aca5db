// Which texts of a page stand on other pages of its site, too.
import { lowest, otherSlots, type PageSite, slotsWith } from '../../../page/site-memory.ts';
import type { BlockTable } from '../blocks/block-table.ts';

export interface SiblingShares {
  /** How many pages were compared with. */
  count: number;
  /** For each block: the share of these pages on which its text stands. */
  shares: Float64Array;
}

const MAX_SIBLINGS = 8;
/** A page with more of the text, or with more of what is likely content, is a copy: it does not tell what is template. */
const COPY = 0.8;
const SAME_CONTENT = 0.3;
/** Pages of the same template have at least this share of what the closest one has in common with the page. */
const CLOSE = 0.5;

const SLOTS = 32;

/** Undefined if no other page of the site is like this one. */
export function readSiblings(
  { words, hashes }: BlockTable,
  probability: Float64Array,
  { memory, url }: PageSite,
): SiblingShares | undefined {
  const slots = new Uint32Array(hashes.length);
  for (let index = 0; index < slots.length; index++)
    if (words[index]! > 0) slots[index] = slotsWith(memory, hashes[index]! >>> 0);
  const [common, commonWords, commonContent] = [
    new Float64Array(SLOTS),
    new Float64Array(SLOTS),
    new Float64Array(SLOTS),
  ];
  let [allWords, content] = [0, 0];
  for (let index = 0; index < slots.length; index++) {
    const likely = words[index]! * probability[index]!;
    allWords += words[index]!;
    content += likely;
    for (let left = slots[index]!; left !== 0; left &= left - 1) {
      const slot = lowest(left);
      common[slot]! += 1;
      commonWords[slot]! += words[index]!;
      commonContent[slot]! += likely;
    }
  }
  const others = otherSlots(memory, url)
    .filter((slot) => common[slot]! > 0)
    .filter((slot) => commonWords[slot]! <= COPY * allWords && commonContent[slot]! <= SAME_CONTENT * content)
    .sort((a, b) => common[b]! - common[a]!);
  const siblings = others.filter((slot) => common[slot]! >= CLOSE * common[others[0]!]!).slice(0, MAX_SIBLINGS);
  if (siblings.length === 0) return undefined;
  const mask = siblings.reduce((bits, slot) => bits | (1 << slot), 0);
  const shares = new Float64Array(slots.length);
  for (let index = 0; index < slots.length; index++) shares[index] = countBits(slots[index]! & mask) / siblings.length;
  return { count: siblings.length, shares };
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
