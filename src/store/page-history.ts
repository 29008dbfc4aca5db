// Port: the last version of pages whose changes are tracked. It is written by the transaction that stores the scrape or the
// page of a job, so that no page is compared with one that was never answered.

/** What a scrape saw of a page. */
export interface PageLook {
  /** Identifies the history. */
  key: string;
  url: string;
  /** When the page was fetched. A look that is older than the last one changes nothing. */
  at: number;
  /** Identifies the crawls that know the page from now on. */
  crawl?: string;
  /** What the next look is compared with. Absent if the page is gone: then the last version stays, and no crawl knows it. */
  version?: Uint8Array;
}

export interface SeenVersion {
  at: number;
  version: Uint8Array;
}

export interface PageHistory {
  find(key: string): Promise<SeenVersion | undefined>;
  /** URLs of pages that these crawls know, in the order of the URLs, from the one after `after`. */
  known(crawl: string, after: string, limit: number): Promise<string[]>;
}
