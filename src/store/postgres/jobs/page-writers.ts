// What the area of pages writes in the transactions of jobs.
import type { CachedPageRows } from '../pages/cache/cached-page-rows.ts';
import type { HistoryRows } from '../pages/history-rows.ts';
import type { PagePacker } from '../pages/pack-to-store.ts';
import type { ScrapeRows } from '../pages/scrape-rows.ts';

export interface PageWriters {
  packer: PagePacker;
  pages: Pick<CachedPageRows, 'write' | 'makeRoom'>;
  scrapes: Pick<ScrapeRows, 'addRow' | 'removeOfJob'>;
  history: Pick<HistoryRows, 'write'>;
}
