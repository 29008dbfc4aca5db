// Port: the versions of pages whose changes are tracked. They are written by the transaction that stores the scrape or the
// page of a job, so that no page is compared with one that was never answered.
import type { ChangeStatus } from '../../../contracts/formats/page-changes.ts';

/** What a scrape saw of a page. */
export interface PageLook {
  /** Identifies the history. */
  key: string;
  url: string;
  /** Tells the histories of a page apart. */
  tag?: string;
  isRedacted?: boolean;
  /** When the page was fetched. A look that is older than the last one changes nothing. */
  at: number;
  /** Identifies the crawls that know the page from now on. */
  crawl?: string;
  /** What the next look is compared with. Absent if the page is gone: then the last version stays, and no crawl knows it. */
  version?: Uint8Array;
  /** The text counts as unchanged: this version replaces the last one. */
  isSame?: boolean;
}

export interface SeenVersion {
  at: number;
  version: Uint8Array;
}

/** One of the last versions, of which a history keeps a few. */
export interface VersionFacts {
  number: number;
  /** What the look said that found it; `same` if the page was gone in between. */
  status: ChangeStatus;
  at: number;
  /** The last look that found the page like this. */
  seenAt: number;
  /** Compressed size. */
  bytes: number;
}

export interface TrackedVersions {
  key: string;
  tag?: string;
  isRedacted: boolean;
  /** Newest first. */
  versions: VersionFacts[];
}

export interface PageHistory {
  find(key: string): Promise<SeenVersion | undefined>;
  /** URLs of pages that these crawls know, in the order of the URLs, from the one after `after`. */
  known(crawl: string, after: string, limit: number): Promise<string[]>;
  /** The histories of a page, the one with the newest version first. */
  histories(teamId: string, url: string): Promise<TrackedVersions[]>;
  /** A version of that page. Undefined if that version does not exist, or if the page was gone. */
  version(teamId: string, url: string, number: number): Promise<(SeenVersion & { key: string }) | undefined>;
}
