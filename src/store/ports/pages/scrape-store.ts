// Port: one row per scrape. Its own team can read its id, options and result for 24 hours.
import type { TransformResult } from '../../../page/page.ts';
import type { Charge } from '../teams/ledger.ts';
import type { PageLook } from './page-history.ts';
import type { PageToStore } from './page-store.ts';

export interface ScrapeRecord {
  id: string;
  teamId: string;
  url: string;
  /** The validated request, for a later replay. */
  options: unknown;
  /** The metadata that the caller saw. It belongs to this scrape, not to the page. */
  metadata: Record<string, unknown>;
  /** JSON of content that belongs to this scrape, in addition to its result. */
  ownContent?: string;
  warning?: string;
  toStore: PageToStore;
  /** For the history of the page, if its changes are tracked. */
  look?: PageLook;
  createdAt: number;
  expiresAt: number;
}

export interface StoredScrape extends Omit<ScrapeRecord, 'toStore' | 'look'> {
  /** Where the crawl began that the page belongs to. */
  startUrl?: string;
  outcome: TransformResult;
}

export interface ScrapeStore {
  /** Stores the scrape with its page and result, and bills it, in one transaction. Takes over the bytes of the page. */
  add(charge: Charge, record: ScrapeRecord): Promise<void>;
  find(id: string, teamId: string, now: number): Promise<StoredScrape | undefined>;
  /** When the team's last scrape succeeded. */
  lastSuccessAt(teamId: string): Promise<number | null>;
}
