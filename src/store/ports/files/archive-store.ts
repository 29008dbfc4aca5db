// Port: archives: what was received for scrapes and jobs, or was uploaded. Payloads are stored once for each team.
import type { WireExchange } from '../../../page/exchange.ts';

export type ArchiveKind = 'scrape' | 'crawl' | 'batch' | 'upload';

export interface NewArchive {
  /** The ID of the scrape or job that it belongs to. */
  id: string;
  teamId: string;
  kind: ArchiveKind;
  /** The name of the uploaded file, or the URL. */
  name: string;
  createdAt: number;
  /** An archive of a job stays as long as its job. */
  expiresAt: number;
  warnings?: readonly string[];
  /** The domains that the key was restricted to, if it was. */
  keyDomains?: readonly string[] | undefined;
}

export interface StoredArchive extends Omit<NewArchive, 'warnings'> {
  warnings: string[];
  records: number;
  /** Size of all payloads, each counted once. */
  bytes: number;
  /** Records that were deleted with their page. */
  removed: number;
}

/** What an archive tells of an exchange, without its payload. */
export interface ArchivedExchange extends Omit<WireExchange, 'body'> {
  /** In the order in which they were added. */
  number: number;
  /** Where the payload is. Absent: it was deleted, and only the address, the time and the digest are left. */
  payload?: number;
  size: number;
  /** The first exchange of the archive with the same payload, if that is another one. */
  first?: { number: number; url: string; at: number };
}

/** Without a body: that of an exchange that the archive has already. */
export type NewExchange = Omit<WireExchange, 'body'> & { body?: Uint8Array };

export interface ArchiveStore {
  /** Adds what was received for one part. If the part is there, it is replaced; if the archive is not there, it is made. */
  add(archive: NewArchive, part: string, exchanges: readonly NewExchange[]): Promise<void>;
  /** Undefined if unknown or expired. */
  find(id: string, teamId: string, now: number): Promise<StoredArchive | undefined>;
  /** The newest first, before the one with that id. */
  list(teamId: string, now: number, page: { before?: string; limit: number }): Promise<StoredArchive[]>;
  /** False if the archive is unknown. */
  remove(id: string, teamId: string): Promise<boolean>;
  /** In the order in which they were added. */
  exchanges(id: string, after: number, limit: number): Promise<ArchivedExchange[]>;
  /** Those that are still there, in the order of their keys, for an index. */
  keys(id: string, after: ArchiveKey | undefined, limit: number): Promise<ArchiveKey[]>;
  /** The exchanges of a URL, the oldest first. */
  ofUrl(id: string, url: string, limit: number): Promise<ArchivedExchange[]>;
  /** Undefined if it was deleted in the meantime. */
  payload(id: number): Promise<Uint8Array | undefined>;
  /** Deletes what archives of the team have of a page, and returns how many records that were. */
  removeUrls(teamId: string, urls: readonly string[]): Promise<number>;
  /** The same for all URLs of a host, with its port if that is not the default. */
  removeHost(teamId: string, host: string): Promise<number>;
}

export interface ArchiveKey extends Pick<ArchivedExchange, 'at' | 'number' | 'url' | 'status' | 'type' | 'digest'> {
  key: string;
}
