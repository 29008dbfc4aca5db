// Port: what is remembered of sites, so that their pages are read better (page/site-memory.ts).
import type { PageOwner } from '../../../page/page-owner.ts';
import type { LearntPage } from '../../../page/site-memory.ts';

export interface SiteMemoryStore {
  find(owner: PageOwner, site: string): Promise<Uint8Array | undefined>;
  /** Adds what pages say, and returns all that is remembered of their site then. */
  learn(owner: PageOwner, site: string, pages: readonly LearntPage[], now: number): Promise<Uint8Array>;
}

/** With some ten kilobytes each, all of them stay below the size of a few thousand cached pages. */
export const MAX_SITES = 5_000;
