// What the area of pages writes in the transactions of jobs.
import type { DonePage } from '../../ports/jobs/job-queue.ts';
import type { Awaitable, Tx } from '../database.ts';
import type { CachedPageRows } from '../pages/cache/cached-page-rows.ts';
import type { FileRows } from '../pages/files/file-rows.ts';
import type { HistoryRows } from '../pages/history-rows.ts';
import type { PackedLook, PackedToStore, PagePacker } from '../pages/page-packer.ts';
import type { ScrapeRows } from '../pages/scrape-rows.ts';

/** A page and what its history learns, compressed before the transaction. */
export interface PackedPageEnd {
  readonly toStore: PackedToStore;
  readonly look: PackedLook | undefined;
}

/** A page of a job. */
export interface JobScrape extends Pick<DonePage, 'ownContent' | 'metadata' | 'warning'> {
  id: string;
  teamId: string;
  url: string;
  resultId: number;
  createdAt: number;
  of: { job: number; position: number };
}

export interface PageWriters {
  /** Call it before the transaction. */
  pack(page: Pick<DonePage, 'toStore' | 'look'>): Awaitable<PackedPageEnd>;
  /** Runs the transaction that writes what was packed. Large bodies that it did not write are removed again. */
  whileWriting<T>(packed: readonly PackedPageEnd[], work: () => Promise<T>): Promise<T>;
  /** Returns the id of the result, which may be gone if it was only referred to. */
  writePage(tx: Tx, packed: PackedPageEnd): Awaitable<number>;
  /** False, without storing anything, if the result is gone. */
  addScrape(tx: Tx, scrape: JobScrape): Awaitable<boolean>;
  writeLook(tx: Tx, teamId: string, packed: PackedPageEnd): Awaitable<void>;
  /** Removes at most `limit` scrapes of a job, with their results. Returns how many. */
  removeScrapes(tx: Tx, job: number, limit: number): Awaitable<number>;
  /** Removes the files that hold the documents of a job. Returns how many. */
  removeFiles(tx: Tx, job: number): Awaitable<number>;
  /** Keeps the cache within its size. Call it after the transaction. */
  makeRoom(now: number): Awaitable<void>;
}

export interface PageWritersDeps {
  packer: PagePacker;
  pages: Pick<CachedPageRows, 'write' | 'makeRoom'>;
  scrapes: Pick<ScrapeRows, 'addRow' | 'removeOfJob'>;
  history: Pick<HistoryRows, 'write'>;
  files: Pick<FileRows<object>, 'removeOfJob'>;
}

export const createPageWriters = ({ packer, pages, scrapes, history, files }: PageWritersDeps): PageWriters => ({
  async pack({ toStore, look }) {
    const [packed, packedLook] = await Promise.all([packer.pack(toStore), packer.packLook(look)]);
    return { toStore: packed, look: packedLook };
  },
  whileWriting: (packed, work) =>
    packer.whileWriting(
      packed.flatMap(({ toStore, look }) => [toStore, look]),
      work,
    ),
  writePage: (tx, { toStore }) => pages.write(tx, toStore),
  addScrape: scrapes.addRow,
  writeLook: (tx, teamId, { look }) => history.write(tx, teamId, look),
  removeScrapes: scrapes.removeOfJob,
  removeFiles: files.removeOfJob,
  makeRoom: pages.makeRoom,
});
