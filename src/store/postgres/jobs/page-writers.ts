// What the area of pages writes in the transactions of jobs.

import type { PackedLook, PackedToStore, PagePacker } from '../../sql/pages/page-packer.ts';
import type { NewScrape } from '../../sql/pages/scrape-rows.ts';
import type { Sql } from '../database/database.ts';
import { transactionOn } from '../database/queries.ts';
import type { PageRows } from '../pages/page-parts.ts';

export interface PageWriters {
  packer: PagePacker;
  pages: { write(sql: Sql, toStore: PackedToStore): Promise<number>; makeRoom(now: number): Promise<void> };
  scrapes: {
    addRow(sql: Sql, scrape: NewScrape): Promise<boolean>;
    removeOfJob(sql: Sql, job: number, limit: number): Promise<number>;
  };
  history: { write(sql: Sql, teamId: string, look: PackedLook | undefined): Promise<void> };
}

export const createPageWriters = ({ packer, pages, scrapes, history }: PageRows): PageWriters => ({
  packer,
  pages: { write: (sql, ...args) => pages.write(transactionOn(sql), ...args), makeRoom: pages.makeRoom },
  scrapes: {
    addRow: (sql, ...args) => scrapes.addRow(transactionOn(sql), ...args),
    removeOfJob: (sql, ...args) => scrapes.removeOfJob(transactionOn(sql), ...args),
  },
  history: { write: (sql, ...args) => history.write(transactionOn(sql), ...args) },
});
