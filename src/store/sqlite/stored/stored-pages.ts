// What is stored, as people look at it: the port put together.
import type { Connection } from '../../../util/sqlite.ts';
import type { StoredPages } from '../../stored-pages.ts';
import type { Bodies } from '../bodies.ts';
import type { CachedPageRows } from '../cached-page-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { Served } from '../served.ts';
import type { HostRows } from './host-rows.ts';
import { createStoredPageRemoval } from './stored-page-removal.ts';
import { createStoredPageRows } from './stored-page-rows.ts';
import { createStoredUrls } from './stored-urls.ts';

interface Deps {
  connection: Connection;
  bodies: Bodies;
  hosts: HostRows;
  pages: CachedPageRows;
  history: HistoryRows;
}

export function createStoredPages({ connection, bodies, hosts, pages, history }: Deps): Served<StoredPages> {
  const findUrls = createStoredUrls(connection);
  return {
    hosts: hosts.hosts,
    ...createStoredPageRows({ connection, bodies, findUrls }),
    ...createStoredPageRemoval({ connection, pages, history, findUrls }),
  };
}
