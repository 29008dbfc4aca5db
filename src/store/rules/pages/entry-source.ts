// Decides which variant of a page the index shows.
import { DEFAULT_MAX_AGE_MS } from '../../../contracts/scrape/cache-ages.ts';

/** The variant of the page that an entry is made from. */
export interface EntrySource {
  /** 0 is the best. */
  rank: number;
  isVerified: boolean;
  fetchedAt: number;
}

/** An unverified page never replaces a verified one. Otherwise, fresh means what a scrape accepts from the cache by default. */
export function isOutranked({ rank, isVerified, fetchedAt }: EntrySource, known: EntrySource): boolean {
  if (known.isVerified !== isVerified) return known.isVerified;
  return known.rank < rank && fetchedAt - known.fetchedAt <= DEFAULT_MAX_AGE_MS;
}
