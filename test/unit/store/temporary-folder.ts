// A temporary folder per test, and helpers to inspect what the store left there.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { Store } from '../../../src/store/ports/store.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../../src/store/sqlite/sqlite-store.ts';
import { startWithoutThread } from '../../support/store-without-thread.ts';

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For tests of the thread, and for folders that are refused: the end of the thread frees the lock. */
export const OWN_THREAD = { start: undefined };

/** Without a thread of its own, unless `OWN_THREAD` is among the options. */
export async function openTemporaryStore(t: TestContext, options: Partial<SqliteStoreOptions> = {}): Promise<Opened> {
  const dataDir = options.dataDir ?? temporaryFolder(t);
  const store = await openSqliteStore({ cacheMaxBytes: 100_000_000, start: startWithoutThread, ...options, dataDir });
  t.after(() => store.close());
  return { dataDir, store };
}

export interface Opened {
  dataDir: string;
  store: Store;
}

/** Queries the database file directly, bypassing the store. */
export function queryDatabase(dataDir: string, sql: string): unknown[] {
  const database = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row))
      .map((values) => (values.length === 1 ? values[0] : values));
  } finally {
    database.close();
  }
}

/** The names of all files under `blobs`. */
export const blobFiles = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
