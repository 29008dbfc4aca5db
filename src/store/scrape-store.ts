// Port: one row per scrape. Its own team can read its id, options and result for 24 hours.
import type { RatedEndpoint } from '../contracts/feedback.ts';
import type { PageOutcome } from '../contracts/page.ts';
import type { PageToStore } from './page-store.ts';

export interface ScrapeRecord {
  id: string;
  teamId: string;
  url: string;
  /** The validated request, for a later replay. */
  options: unknown;
  /** The metadata that the caller saw. It belongs to this scrape, not to the page. */
  metadata: Record<string, unknown>;
  warning?: string;
  toStore: PageToStore;
  createdAt: number;
  expiresAt: number;
}

export interface StoredScrape extends Omit<ScrapeRecord, 'toStore'> {
  outcome: PageOutcome;
}

/** A request without a stored result, which its team may rate. */
export interface RatedRequest {
  id: string;
  endpoint: RatedEndpoint;
  /** What was requested, if that may be kept. */
  target?: string;
  expiresAt: number;
}

export interface Usage {
  teamId: string;
  credits: number;
  /** It returned content, although no record of it may be kept. Implied for scrapes with a record. */
  succeeded?: boolean;
  request?: RatedRequest;
  now: number;
}

export interface ScrapeStore {
  /** Stores the scrape (if it may be kept) with its page and result, and counts its credits, in one transaction. */
  add(usage: Usage, record?: ScrapeRecord): Promise<void>;
  find(id: string, teamId: string, now: number): Promise<StoredScrape | undefined>;
  /** When the team's last scrape succeeded. */
  lastSuccessAt(teamId: string): Promise<number | null>;
}
