// SQL for blobs that were moved to an object store. New bodies are files first, so that a commit never waits for the network;
// the service moves them afterwards.
import type { SqliteConnection } from '../../../runtime/sqlite/sqlite.ts';
import type { BlobFolder } from '../../blobs/blob-folder.ts';
import type { Awaitable } from '../../sql/database.ts';
import { BodiesElsewhere, type FetchedBodies } from './fetch-bodies.ts';

export interface FileToMove {
  name: string;
  path: string;
  size: number;
}

/** What the service asks for and reports while it moves blobs. */
export interface ObjectPort {
  /** Whether bodies are in the object store already. */
  isInUse(): Promise<boolean>;
  due(limit: number): Promise<{ files: FileToMove[]; removed: string[] }>;
  settle(done: { moved: { name: string; size: number }[]; failed: string[]; removed: string[] }): Promise<void>;
  /** Returns the names that nothing refers to. */
  unknown(names: string[]): Promise<string[]>;
}

/** A port as the store thread implements it: the same methods, but synchronous. */
type Synchronous<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : never;
};

export interface ObjectRows {
  port: Synchronous<ObjectPort>;
  /** All files of the folder that were not moved yet: call it once, when each file of the folder has its row. */
  findFiles(): void;
  noteWritten(name: string): void;
  /** Call inside the transaction that removes the body. */
  noteRemoved(name: string): void;
  /** Undefined if it is lost. Throws BodiesElsewhere unless it has been fetched for this call. */
  read(name: string): Uint8Array | undefined;
  locate(name: string): { object: string; size: number } | undefined;
  /** Throws BodiesElsewhere with all of the names that have to be fetched. */
  expect(names: readonly string[]): void;
  /** Runs a call for which bodies were fetched. */
  withFetched<T>(fetched: FetchedBodies, call: () => Awaitable<T>): Promise<T>;
}

export function createObjectRows(connection: SqliteConnection, blobs: BlobFolder): ObjectRows {
  const sql = prepareAll(connection);
  // In the order in which they were written. Those that could not be moved go to the end.
  const waiting = new Set<string>();
  let fetched: FetchedBodies = new Map();

  const isToFetch = (name: string) => !fetched.has(name) && !blobs.locate(name) && sql.find.get(name) !== undefined;

  const due = (limit: number) => {
    const files: FileToMove[] = [];
    for (const name of waiting) {
      if (files.length === limit) break;
      const file = sql.hasBody.get(name) ? blobs.locate(name) : undefined;
      if (file) files.push({ name, ...file });
      else waiting.delete(name);
    }
    return { files, removed: sql.removed.all(limit).map(({ name }) => name) };
  };

  return {
    port: {
      isInUse: () => sql.first.get() !== undefined,
      due,
      settle: ({ moved, failed, removed }) =>
        connection.transaction(() => {
          for (const { name, size } of moved) sql.add.run(name, size);
          for (const name of removed) sql.forget.run(name);
          connection.afterCommit(() => {
            for (const { name } of moved) waiting.delete(name);
            for (const name of failed) if (waiting.delete(name)) waiting.add(name);
          });
        }),
      unknown: (names) => sql.unknown.all(JSON.stringify(names)).map(({ name }) => name),
    },
    findFiles() {
      for (const name of blobs.names()) waiting.add(name);
    },
    noteWritten: (name) => void waiting.add(name),
    noteRemoved: (name) => void sql.noteRemoved.run(name),
    read(name) {
      if (isToFetch(name)) throw new BodiesElsewhere([name]);
      return fetched.get(name);
    },
    locate(name) {
      const row = sql.find.get(name);
      return row && { object: name, size: row.size };
    },
    expect(names) {
      const missing = names.filter(isToFetch);
      if (missing.length > 0) throw new BodiesElsewhere(missing);
    },
    async withFetched(bodies, call) {
      fetched = bodies;
      try {
        return await call();
      } finally {
        fetched = new Map();
      }
    },
  };
}

const prepareAll = (connection: SqliteConnection) => ({
  first: connection.prepare('SELECT 1 FROM objects WHERE removed = 0 LIMIT 1'),
  find: connection.prepare<{ size: number }>('SELECT size FROM objects WHERE name = ? AND removed = 0'),
  hasBody: connection.prepare('SELECT 1 FROM bodies WHERE blob = ?'),
  // The body may have been removed while its blob was on the way.
  add: connection.prepare(
    `INSERT INTO objects (name, size, removed) VALUES (?1, ?2, NOT EXISTS (SELECT 1 FROM bodies WHERE blob = ?1))
     ON CONFLICT DO NOTHING`,
  ),
  noteRemoved: connection.prepare('UPDATE objects SET removed = 1 WHERE name = ?'),
  removed: connection.prepare<{ name: string }>('SELECT name FROM objects WHERE removed = 1 LIMIT ?'),
  forget: connection.prepare('DELETE FROM objects WHERE name = ? AND removed = 1'),
  unknown: connection.prepare<{ name: string }>(
    `SELECT value AS name FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM objects WHERE name = value)
       AND NOT EXISTS (SELECT 1 FROM bodies WHERE blob = value)`,
  ),
});
