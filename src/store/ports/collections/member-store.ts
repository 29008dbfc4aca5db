// Port: the members of collections, with the feed of their changes. Every change gives a member the next number of its
// collection, so what has changed since a number is a range of one index.
import type { RoomyJson } from '../../../util/json/json-text.ts';

/** What members have for a target that were added by themselves. */
export const PAGES = 'pages';
/** What members have for a target that were uploaded: runs leave them alone. */
export const UPLOADS = 'uploads';

/** A page as a run has found it. */
export interface SeenPage {
  url: string;
  /** Where it was found, if that is elsewhere. */
  finalUrl?: string;
  found:
    | { state: 'read'; hash: string; chunkIds: string[]; scrapeId: string }
    /** It answered that it does not exist. */
    | { state: 'gone' }
    /** Nothing is known about it: an error, robots.txt, a login wall. */
    | { state: 'problem'; problem: string };
}

/** How a run has changed members. `problems` counts members only: other pages were never a part of the collection. */
export interface SavedPages {
  added: number;
  changed: number;
  same: number;
  gone: number;
  problems: number;
}

export interface SavingRun {
  collectionId: string;
  runId: string;
  targetId: string;
  /** Their stored options: what a key may see of the content follows from them. */
  options: unknown;
  now: number;
}

/** A page that was added by itself. */
export interface AddedPage {
  number: number;
  url: string;
}

export interface MemberChange {
  change: number;
  url: string;
  finalUrl?: string;
  isDeleted: boolean;
  hash: string;
  chunkIds: string[];
  scrapeId?: string;
  changedAt: number;
}

export interface Member extends Omit<MemberChange, 'isDeleted' | 'change' | 'hash' | 'changedAt'> {
  state: 'waiting' | 'present';
  source: 'target' | 'page' | 'upload';
  hash?: string;
  changedAt?: number;
  problem?: string;
}

/** Documents as JSON text, joined by commas without brackets, and where the next ones begin. */
export interface MemberDocuments extends RoomyJson {
  count: number;
  ends: number[];
  /** The change of the last one. Absent if there are no more. */
  next?: number;
}

export interface MemberStore {
  /** Pages that are read with the next run. Those that are members already stay as they are. */
  addPages(collectionId: string, urls: readonly string[]): Promise<{ added: number } | undefined>;
  /** In the order in which they were added: all that a run reads, or only those that were never read. */
  addedPages(collectionId: string, query: { after: number; limit: number; isNew: boolean }): Promise<AddedPage[]>;
  /**
   * Writes what a run has found, or what was uploaded, in one transaction. The scrape of a page that is new or has changed is kept as long as the
   * page is a member. Undefined if the collection is deleted.
   */
  savePages(
    by: Omit<SavingRun, 'runId'> & { /** Absent: an upload. */ runId?: string },
    pages: readonly SeenPage[],
  ): Promise<SavedPages | undefined>;
  /** Deletes the members at these URLs, whatever they belong to. Undefined if the collection is deleted. */
  removePages(collectionId: string, urls: readonly string[], now: number): Promise<{ removed: number } | undefined>;
  /** Pages of this job that were as good as others, so nothing was stored of them: they were reached all the same. */
  keepDuplicates(run: Pick<SavingRun, 'collectionId' | 'runId'>, jobId: string): Promise<number>;
  /** Members of the target that this run has reached and could not read. */
  problemsOf(
    run: Pick<SavingRun, 'collectionId' | 'runId' | 'targetId'>,
    limit: number,
  ): Promise<{ url: string; problem: string }[]>;
  /** Deletes members that answered this run that they do not exist. At most `limit`; returns how many. */
  deleteGone(run: Pick<SavingRun, 'collectionId' | 'runId' | 'now'>, limit: number): Promise<number>;
  /** Deletes members of the target that this run has not reached. At most `limit`; returns how many. */
  deleteUnreached(run: Pick<SavingRun, 'collectionId' | 'runId' | 'targetId' | 'now'>, limit: number): Promise<number>;
  /** Targets that members belong to, also those that the collection no longer has. */
  targetsOf(collectionId: string): Promise<string[]>;
  /**
   * After one change up to and including another, in order. Undefined if the collection is gone, or has forgotten a deletion
   * after the first.
   */
  changes(
    collectionId: string,
    query: { after: number; until: number; limit: number; onlyPresent: boolean },
  ): Promise<MemberChange[] | undefined>;
  /** What is there or waits, in the order of the URLs. */
  members(collectionId: string, query: { after: string; limit: number }): Promise<Member[]>;
  /** Where the members that are there were found. Uploads have no address. */
  addresses(collectionId: string): Promise<string[]>;
  /** The documents of the members, in the order of their changes. */
  documents(
    collectionId: string,
    query: { after: number; until: number; limit: number; maxBytes: number },
  ): Promise<MemberDocuments>;
}
