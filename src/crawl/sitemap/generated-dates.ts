// Some sitemaps carry the time of their own generation beside every URL, which says nothing about the pages.
import type { SitemapEntry } from './sitemap-reader.ts';

/** Dates this recent, in milliseconds, may be those of the file itself. */
const RECENT_MS = 60_000;
/** A small site may really have changed all its pages just now. */
const MIN_RECENT = 10;

/** The entries as they are, or without their dates if most of these say "just now". */
export function dropGeneratedDates(entries: SitemapEntry[], now: number): SitemapEntry[] {
  const recent = entries.filter(({ lastModified = 0 }) => lastModified > now - RECENT_MS).length;
  if (recent < MIN_RECENT || recent <= entries.length / 2) return entries;
  return entries.map(({ lastModified: _, ...entry }) => entry);
}
