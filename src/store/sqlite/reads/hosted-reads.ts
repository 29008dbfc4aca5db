// Reads as their thread hosts them: on a connection of its own, which sees what is committed while the store writes. What it
// cannot answer by reading alone (a use to be noted, bytes that are not in the data folder) is an error: the store answers it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnection, type SqliteConnection } from '../../../runtime/sqlite/sqlite.ts';
import type { Served } from '../../../runtime/threads/thread.ts';
import type { Ready } from '../../../runtime/threads/threads.ts';
import { fail } from '../../../util/assert.ts';
import { createBlobFolder } from '../../blobs/blob-folder.ts';
import { readSecret } from '../../data-folder/data-secret.ts';
import { createSealedRequests } from '../../encoding/sealed-requests.ts';
import type { Database } from '../../sql/database.ts';
import { createDocumentJson } from '../../sql/jobs/document-json.ts';
import { createJobRows } from '../../sql/jobs/job-rows.ts';
import { createJobReads } from '../../sql/jobs/job-views/job-reads.ts';
import type { Bodies } from '../../sql/pages/bodies.ts';
import { createPageFinder } from '../../sql/pages/cache/page-finder.ts';
import { createResultRows } from '../../sql/pages/cache/result-rows.ts';
import { createKeySearch } from '../../sql/teams/keys.ts';
import { createSqliteDatabase } from '../database/database.ts';
import type { StoreThread } from '../hosted-store.ts';
import { movedPage, movedResults } from '../moved-answers.ts';
import { createBodies } from '../pages/bodies.ts';
import { createSqliteBodies } from '../pages/body-columns.ts';

export interface ReadThreadSettings {
  dataDir: string;
}

/** What many requests begin with, and what large answers are made of. */
export interface ReadPorts {
  teams: Pick<StoreThread['teams'], 'findByKey'>;
  pages: Pick<StoreThread['pages'], 'find'>;
  jobs: Pick<StoreThread['jobs'], 'view' | 'results'>;
}

export interface ReadThread extends ReadPorts, Ready {
  close(): Promise<void>;
}

const NOT_HERE = 'Only the store can answer this.';

export function hostReads({ dataDir }: ReadThreadSettings): Served<ReadThread> {
  const connection = createConnection(new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true }));
  const all = createSqliteDatabase(connection);
  // Nothing that should be written is left out here.
  const database: Database = { ...all, attempt: async (write) => void (await write()) };
  const bodies = readableBodies(createSqliteBodies(createBodies(connection, createBlobFolder(join(dataDir, 'blobs')))));
  const results = createResultRows(database, bodies);
  const removeLost = async () => fail(NOT_HERE);
  const jobs = createJobReads({
    database,
    rows: createJobRows(
      database,
      createSealedRequests(() => readSecret(dataDir)),
    ),
    documentJson: createDocumentJson({ database, bodies, results }),
  });
  const atOneMoment = createSnapshots(connection);
  return {
    ready: async () => {},
    teams: { findByKey: atOneMoment(createKeySearch(database).findByKey) },
    pages: { find: atOneMoment(movedPage({ find: createPageFinder({ database, bodies, results, removeLost }) })) },
    jobs: { view: atOneMoment(jobs.view), results: atOneMoment(movedResults(jobs)) },
    onRest: connection.releaseMemory,
    close: async () => connection.close(),
  };
}

/** Bytes that are missing here may be in the object store. */
const readableBodies = (bodies: Bodies): Bodies => ({
  ...bodies,
  read: async (body) => (await bodies.read(body)) ?? fail(NOT_HERE),
});

/** Calls whose statements all see the database as it was at one moment: the id of removed bytes may be given to others. */
function createSnapshots(connection: SqliteConnection) {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  let last: Promise<unknown> = Promise.resolve();
  return <Args extends unknown[], Value>(read: (...args: Args) => Value | Promise<Value>) =>
    (...args: Args): Promise<Value> => {
      const inTurn = async () => {
        begin.run();
        try {
          return await read(...args);
        } finally {
          end.run();
        }
      };
      const answer = last.then(inTurn);
      last = answer.catch(() => {});
      return answer;
    };
}
