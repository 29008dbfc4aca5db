// Decides from fingerprints when two texts count as the same.
import type { TextFingerprint } from '../../page/page.ts';
import { differingBits } from '../../text/simhash.ts';

/** A URL pattern is closed after this many pages in a row without anything new ... */
export const BARREN_PAGES = 30;
/** ... compared with as many earlier texts of the pattern. */
export const TEXTS_COMPARED = 100;

/** How many SimHash bits may differ for the same page with another date or counter ... */
const SAME_PAGE_BITS = 3;
/** ... and for pages of an endless pattern, which also reorder or filter the same content. */
const SAME_FAMILY_BITS = 6;

export const isSamePage = (simhash: string, other: string): boolean => differingBits(simhash, other) <= SAME_PAGE_BITS;

export interface FamilyPage {
  url: string;
  fingerprint: TextFingerprint;
  /** Found on a page with the same pattern. */
  isChained: boolean;
}

/**
 * Whether an earlier page of the pattern had the same text. Chained and dated pages may be endless and are compared
 * loosely; others exactly, so that list items are not confused.
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

/** Whether the URL contains a month or day, as in /2031/04/07, ?date=2031-04 or /events/20310407. */
const isDated = (url: string): boolean => DATE.test(url);
const DATE = /[^\d](?:19|20|21)\d\d(?:[-/_.](?:0?[1-9]|1[0-2])(?!\d)|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?(?!\d))/;
