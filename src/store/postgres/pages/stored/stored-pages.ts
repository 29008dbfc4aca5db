// What is stored, as people look at it: the port put together.
import type { StoredPages } from '../../../stored-pages.ts';
import type { Database } from '../../database/database.ts';
import type { Bodies } from '../bodies.ts';
import type { CachedPageRows } from '../cache/cached-page-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { HostRows } from './host-rows.ts';
import { createStoredPageRemoval } from './stored-page-removal.ts';
import { createStoredPageRows } from './stored-page-rows.ts';
import { createStoredUrls } from './stored-urls.ts';

interface Deps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
  hosts: HostRows;
  pages: CachedPageRows;
  history: HistoryRows;
}

export function createStoredPages({ database, bodies, hosts, pages, history }: Deps): StoredPages {
  const findUrls = createStoredUrls(database);
  return {
    hosts: hosts.hosts,
    ...createStoredPageRows({ database, bodies, findUrls }),
    ...createStoredPageRemoval({ database, pages, history, findUrls }),
  };
}
