// Port: what is stored, as people look at it: hosts, their pages, and everything that is known of one page. A page has the URL
// at which it was found. Nothing here fetches anything.
import type { PageMetadata, PageVariant } from '../../../page/page.ts';
import type { PageOwner, Viewer } from '../../../page/page-owner.ts';

export type HostOrder = 'pages' | 'name';

/** Where a list of hosts goes on. */
export interface HostPlace {
  pages: number;
  host: string;
}

export interface HostQuery {
  viewer: Viewer;
  /** Also lists pages that teams share but no search finds. */
  seesAll: boolean;
  order: HostOrder;
  /** Hosts that begin with it, with or without `www.`. They are always listed by name. */
  prefix?: string;
  after?: HostPlace;
  limit: number;
}

export interface StoredHost {
  host: string;
  /** Pages that a search can find. */
  pages: number;
  /** Pages whose changes are tracked. */
  tracked: number;
  /** Size of the cached copies. */
  bytes: number;
  /** When something of the host was last stored. */
  newestAt: number;
}

export interface StoredPagesQuery {
  viewer: Viewer;
  /** Whose tracked pages are listed, too. */
  teamId: string;
  /** Also lists pages that teams share but no search finds. */
  seesAll: boolean;
  /** With its port, unless that is the default. Absent: all hosts. */
  host?: string;
  /** Only URLs that contain it. */
  contains?: string;
  /** Only pages whose changes are tracked. */
  tracked?: boolean;
  /** The URL that the page of the list before ended with. */
  after?: string;
  limit: number;
}

export interface StoredPage {
  url: string;
  title?: string;
  /** Two lower-case letters. */
  language?: string;
  /** As a file extension: html, pdf, ... */
  fileType?: string;
  isSearchable: boolean;
  isTracked: boolean;
  /** Whether all teams that share see it, or only the one that fetched it. */
  isShared: boolean;
  /** Fetch time of the newest copy or, without one, of the entry in the index. */
  fetchedAt?: number;
  /** HTTP status of the newest copy. */
  status?: number;
  /** Cached copies: versions and variants. */
  copies: number;
  bytes: number;
}

export interface StoredPageList {
  /** In the order of their URLs. */
  pages: StoredPage[];
  /** If there may be more. */
  next?: string;
}

export interface PageCopy {
  /** As it was requested; another one than that of the page if it redirects there. */
  requestedUrl: string;
  variant?: PageVariant;
  fetchedAt: number;
  /** When the site last confirmed the copy. */
  checkedAt: number;
  /** When it leaves the cache; null if it stays until it is evicted. */
  expiresAt: number | null;
  status: number;
  contentType: string;
  bytes: number;
  isVerified: boolean;
  screenshots: number;
}

export interface StoredPageDetails extends StoredPage {
  /** Where the requested URL led, if that is elsewhere. */
  redirectsTo?: string;
  description?: string;
  publishedAt?: number;
  metadata: PageMetadata;
  /** Newest first. */
  variants: PageCopy[];
  /** Formats of the newest copies that are still stored. */
  formats: string[];
  content?: { format: 'markdown' | 'text'; text: string; fetchedAt: number };
}

/** What a team may remove: the pages of these owners, the versions that it tracks, and members of its collections. */
export interface Removable {
  owners: readonly PageOwner[];
  teamId: string;
  now: number;
}

export interface RemovedPages {
  /** Pages of which something was removed. */
  pages: number;
  copies: number;
  versions: number;
}

export interface StoredPages {
  /** `next` is present if there are more. */
  hosts(query: HostQuery): Promise<{ hosts: StoredHost[]; next?: HostPlace }>;
  list(query: StoredPagesQuery): Promise<StoredPageList>;
  /** `url` is normalised, and need not be the one that the page was found at. */
  find(url: string, viewer: Viewer, teamId: string): Promise<StoredPageDetails | undefined>;
  /** Each page is removed as a whole: copies, results, entry in the index, and versions. */
  remove(urls: readonly string[], removable: Removable): Promise<RemovedPages>;
  /** Removes some pages of a host, those after `after`. `next` is absent when no more are left. */
  removeOfHost(
    host: string,
    removable: Removable,
    after: string,
    limit: number,
  ): Promise<RemovedPages & { next?: string }>;
}
