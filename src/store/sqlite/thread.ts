// The store thread: it alone owns the connection, so that no SQL and no compression holds up the service's event loop.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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
import { createTeamRows } from './teams.ts';

export interface ThreadSettings {
  dataDir: string;
  cacheMaxBytes: number;
  lock: boolean;
}

// A round takes a few milliseconds; then other calls have their turn. What is left waits for the next sweep.
const SWEEP_BATCH = 100;
const SWEEP_ROUNDS = 100;

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

  const sweepRound = (now: number): number =>
    scrapes.removeExpired(now, SWEEP_BATCH) +
    pages.removeExpired(now, SWEEP_BATCH) +
    results.removeLoose(now, SWEEP_BATCH) +
    pages.evict(now, SWEEP_BATCH);

  const sweep = async (now: number) => {
    for (let round = 0; round < SWEEP_ROUNDS && connection.isOpen; round++) {
      if (sweepRound(now) === 0) return;
      await setImmediate();
    }
  };
  let sweeping: Promise<void> = Promise.resolve();

  return {
    ...named('teams', teams),
    ...named('scrapes', scrapes),
    ...named('pages', pages),
    'pages.find': async (query: PageQuery) => {
      const page = await pages.find(query);
      return page && 'bytes' in page ? new Moved(page, [page.bytes.buffer as ArrayBuffer]) : page;
    },
    'pages.sweep': (now: number) => {
      sweeping = Promise.allSettled([sweeping]).then(() => sweep(now));
      return sweeping;
    },
    opened: () => undefined,
    close: async () => {
      connection.close();
      await Promise.allSettled([sweeping]);
      folderLock?.release();
    },
  };
}

/** The methods of a port under the names by which the service calls them: `teams.addKey`, `pages.put`, ... */
function named(port: string, methods: object): Record<string, (...args: never[]) => unknown> {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [`${port}.${name}`, method]));
}
