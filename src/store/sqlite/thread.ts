// The store thread: it alone owns the connection, so that no SQL and no compression holds up the service's event loop.
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { Moved, serveThread } from '../../util/thread.ts';
import { createBlobFolder } from '../fs/blobs.ts';
import { prepareDataFolder } from '../fs/data-folder.ts';
import type { PageQuery } from '../pages.ts';
import { createBodies } from './bodies.ts';
import { createConnection } from './connection.ts';
import { lockDataFolder } from './lock.ts';
import { openDatabase } from './open.ts';
import { createPageRows } from './pages.ts';
import { createResultRows } from './results.ts';
import { createScrapeRows } from './scrapes.ts';
import { createSweeper } from './sweep.ts';
import { createTeamRows } from './teams.ts';

export interface ThreadSettings {
  dataDir: string;
  cacheMaxBytes: number;
  lock: boolean;
}

serveThread(openDataFolder(workerData as ThreadSettings));

function openDataFolder({ dataDir, cacheMaxBytes, lock }: ThreadSettings) {
  prepareDataFolder(dataDir);
  const folderLock = lock ? lockDataFolder(dataDir) : undefined;
  const connection = createConnection(openDatabase(join(dataDir, 'store.db')));
  const bodies = createBodies(connection, createBlobFolder(join(dataDir, 'blobs')));
  const results = createResultRows(connection, bodies);
  const teams = createTeamRows(connection);
  const pages = createPageRows(connection, bodies, results, cacheMaxBytes);
  const scrapes = createScrapeRows(connection, bodies, results);
  // Beside a running service, a file without a row may be one that is just being written.
  if (folderLock) bodies.removeOrphans();

  const sweeper = createSweeper([scrapes.removeExpired, pages.removeExpired, results.removeLoose, pages.evict]);

  return {
    ...named('teams', teams),
    ...named('scrapes', scrapes),
    ...named('pages', pages),
    'pages.find': (query: PageQuery) => {
      const page = pages.find(query);
      return page && 'bytes' in page ? new Moved(page, [page.bytes.buffer as ArrayBuffer]) : page;
    },
    'pages.sweep': sweeper.sweep,
    opened: () => undefined,
    close: async () => {
      await sweeper.stop();
      connection.close();
      folderLock?.release();
    },
  };
}

/** The methods of a port under the names by which the service calls them: `teams.addKey`, `pages.put`, ... */
function named(port: string, methods: object): Record<string, (...args: never[]) => unknown> {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [`${port}.${name}`, method]));
}
