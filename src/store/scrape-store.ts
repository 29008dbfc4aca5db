// Port: one row a scrape. Its id, options and result stay readable by its own team for 24 hours.
import type { RatedEndpoint } from '../contracts/feedback.ts';
import type { PageOutcome } from '../contracts/page.ts';
import type { PageToStore } from './page-store.ts';

export interface ScrapeRecord {
  id: string;
  teamId: string;
  url: string;
  /** The request as validated, for a later replay. */
  options: unknown;
  /** What belongs to this scrape and not to the page: the metadata the caller saw. */
  metadata: Record<string, unknown>;
  warning?: string;
  toStore: PageToStore;
  createdAt: number;
  expiresAt: number;
}

export interface StoredScrape extends Omit<ScrapeRecord, 'toStore'> {
  outcome: PageOutcome;
}

/** A request that leaves no result of its own, and that its team may rate. */
export interface RatedRequest {
  id: string;
  endpoint: RatedEndpoint;
  /** What was asked for, where that may be kept. */
  target?: string;
  expiresAt: number;
}

export interface Usage {
  teamId: string;
  credits: number;
  /** It gave content, although no record of it may be kept. (A scrape with a record did in any case.) */
  succeeded?: boolean;
  request?: RatedRequest;
  now: number;
}

export interface ScrapeStore {
  /** Keeps the scrape (when it may be kept) with its page and result, and counts its credits, in one transaction. */
  add(usage: Usage, record?: ScrapeRecord): Promise<void>;
  find(id: string, teamId: string, now: number): Promise<StoredScrape | undefined>;
  /** When the team's last scrape succeeded. */
  lastSuccessAt(teamId: string): Promise<number | null>;
}
