// The store thread: it alone owns the connection, so that no SQL and no compression holds up the service's event loop.
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { Moved, serveThread } from '../../util/thread.ts';
import { createBlobFolder } from '../fs/blobs.ts';
import { prepareDataFolder } from '../fs/data-folder.ts';
import { INCOMING_FOLDER, removeIncoming } from '../fs/incoming.ts';
import { readSecret } from '../fs/secret.ts';
import type { ResultQuery } from '../jobs.ts';
import type { PageQuery } from '../pages.ts';
import { createBodies } from './bodies.ts';
import { createConnection } from './connection.ts';
import { createFeedbackRows } from './feedback.ts';
import { createFileRows } from './files.ts';
import { createFeedRows } from './index-feed.ts';
import { createJobPorts } from './job-ports.ts';
import { lockDataFolder } from './lock.ts';
import { createNoteRows } from './notes.ts';
import { openDatabase } from './open.ts';
import { createPageRows } from './pages.ts';
import { createProfileRows } from './profiles.ts';
import { createResultRows } from './results.ts';
import { createScrapeRows } from './scrapes.ts';
import { createSweeper } from './sweep.ts';
import { createTeamRows } from './teams.ts';
import { createUploadRows } from './uploads.ts';

export interface ThreadSettings {
  dataDir: string;
  cacheMaxBytes: number;
  filesMaxBytes: number;
  lock: boolean;
}

serveThread(openDataFolder(workerData as ThreadSettings));

function openDataFolder({ dataDir, cacheMaxBytes, filesMaxBytes, lock }: ThreadSettings) {
  prepareDataFolder(dataDir);
  const folderLock = lock ? lockDataFolder(dataDir) : undefined;
  const connection = createConnection(openDatabase(join(dataDir, 'store.db')));
  const bodies = createBodies(connection, createBlobFolder(join(dataDir, 'blobs')));
  const results = createResultRows(connection, bodies);
  const teams = createTeamRows(connection);
  const notes = createNoteRows(connection);
  const feed = createFeedRows({ connection, bodies, notes });
  const feedback = createFeedbackRows(connection);
  const pages = createPageRows({ connection, bodies, results, feed }, cacheMaxBytes);
  const scrapes = createScrapeRows({ connection, results, pages, feedback });
  const files = createFileRows({ connection, bodies }, filesMaxBytes);
  const profiles = createProfileRows({ connection, bodies, readSecret: () => readSecret(dataDir) });
  const uploads = createUploadRows({ connection, bodies });
  const { jobs, queue, deliveries, removers } = createJobPorts({ connection, results, pages, scrapes });
  if (folderLock) {
    // Beside a running service, a file without a row may be one that is just being written, and claims may be alive.
    bodies.removeOrphans();
    removeIncoming(join(dataDir, INCOMING_FOLDER));
    queue.releaseAll();
    deliveries.releaseAll();
  }

  const sweeper = createSweeper([
    scrapes.removeExpired,
    feedback.removeExpired,
    ...removers,
    pages.removeExpired,
    results.removeLoose,
    pages.evict,
    files.removeExpired,
    files.evict,
    uploads.removeExpired,
  ]);

  return {
    ...named('teams', teams),
    ...named('scrapes', scrapes),
    ...named('pages', pages),
    ...named('jobs', jobs),
    ...named('queue', queue),
    ...named('deliveries', deliveries),
    ...named('feed', feed),
    ...named('feedback', feedback),
    ...named('notes', notes),
    ...named('files', files),
    ...named('profiles', profiles),
    ...named('uploads', uploads),
    'pages.find': (query: PageQuery) => {
      const page = pages.find(query);
      return page && 'bytes' in page ? new Moved(page, [page.bytes.buffer as ArrayBuffer]) : page;
    },
    'pages.sweep': sweeper.sweep,
    'jobs.results': (id: string, query: ResultQuery) => {
      const page = jobs.results(id, query);
      return new Moved(page, [page.json.buffer]);
    },
    'jobs.cancel': async (id: string, teamId: string, now: number) => {
      const cancelled = jobs.cancel(id, teamId, now);
      if (cancelled?.isForgotten) await sweeper.sweep(now);
      return cancelled?.status;
    },
    'deliveries.due': (now: number, limit: number) => {
      const due = deliveries.due(now, limit);
      return new Moved(
        due,
        due.map(({ body }) => body.buffer),
      );
    },
    'files.find': (id: string, now: number) => {
      const file = files.find(id, now);
      // From a row: the buffer holds nothing else.
      return file && 'bytes' in file.body ? new Moved(file, [file.body.bytes.buffer as ArrayBuffer]) : file;
    },
    'feed.after': (change: number, limit: number) => {
      const changes = feed.after(change, limit);
      return new Moved(
        changes,
        changes.flatMap(({ entry }) => (entry ? [entry.buffer as ArrayBuffer] : [])),
      );
    },
    opened: () => undefined,
    close: async () => {
      await sweeper.stop();
      connection.close();
      folderLock?.release();
    },
  };
}

/** The methods of a port under the names by which the service calls them: `teams.addKey`, `pages.keep`, ... */
function named(port: string, methods: object): Record<string, (...args: never[]) => unknown> {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [`${port}.${name}`, method]));
}
