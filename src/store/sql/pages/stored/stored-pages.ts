// What is stored, as people look at it: the port put together.
import type { StoredPages } from '../../../ports/pages/stored-pages.ts';
import type { MemberRemoval } from '../../collections/member-removal.ts';
import type { Database } from '../../database.ts';
import { createPrograms } from '../../teams/programs.ts';
import type { Bodies } from '../bodies.ts';
import type { CachedPageRows } from '../cache/cached-page-rows.ts';
import type { ChunkVectorRows } from '../chunk-vector-rows.ts';
import type { HistoryRows } from '../history-rows.ts';
import type { SiteMemoryRows } from '../site-memory-rows.ts';
import { createHostList, type HostCounters } from './host-list.ts';
import { createStoredPageRemoval } from './stored-page-removal.ts';
import { createStoredPageRows } from './stored-page-rows.ts';
import { createStoredUrls } from './stored-urls.ts';

interface Deps {
  database: Database;
  bodies: Bodies;
  hosts: HostCounters;
  pages: Pick<CachedPageRows, 'removeUrl'>;
  history: Pick<HistoryRows, 'removeUrl'>;
  members: MemberRemoval;
  sites: Pick<SiteMemoryRows, 'removeSite'>;
  chunkVectors: Pick<ChunkVectorRows, 'removeSite'>;
  /** What the dialect sorts URLs by. */
  urlKey(url: string): string;
}

export function createStoredPages({ database, bodies, hosts, urlKey, ...removed }: Deps): StoredPages {
  const findUrls = createStoredUrls({ database, bodies, urlKey });
  return {
    hosts: createHostList(database, hosts),
    ...createStoredPageRows({ database, bodies, findUrls }),
    ...createStoredPageRemoval({ database, findUrls, programs: createPrograms(database), ...removed }),
  };
}
