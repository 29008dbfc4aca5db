// When two texts count as the same, told from their prints.
import type { TextFingerprint } from '../../../contracts/page.ts';
import { differingBits } from '../../../text/simhash.ts';

/** Bits in which two SimHashes may differ: the same page with another date or counter ... */
const SAME_PAGE_BITS = 3;
/** ... and pages of an endless family, which also show another order or selection of the same. */
const SAME_FAMILY_BITS = 6;

export const isSamePage = (simhash: string, other: string): boolean => differingBits(simhash, other) <= SAME_PAGE_BITS;

export interface FamilyPage {
  url: string;
  fingerprint: TextFingerprint;
  /** Found on a page of its own family. */
  isChained: boolean;
}

/**
 * Is there nothing in a page that an earlier one of its family had not? Pages found on a page of their own family may be
 * an endless chain, and days and months have no end: those are compared loosely. Others only word by word, so that no
 * item of a list is taken for another.
 */
export function hasNothingNew(
  { url, fingerprint, isChained }: FamilyPage,
  earlier: readonly TextFingerprint[],
): boolean {
  const byGist = isChained || isDated(url);
  const bySimhash = isChained && url.includes('?');
  return earlier.some(
    ({ exact, gist, simhash }) =>
      exact === fingerprint.exact ||
      (byGist && gist === fingerprint.gist) ||
      (bySimhash && differingBits(simhash, fingerprint.simhash) <= SAME_FAMILY_BITS),
  );
}

/** Does the address name a month or a day: /2031/04/07, ?date=2031-04, /events/20310407? */
const isDated = (url: string): boolean => DATE.test(url);
const DATE = /[^\d](?:19|20|21)\d\d(?:[-/_.](?:0?[1-9]|1[0-2])(?!\d)|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?(?!\d))/;
