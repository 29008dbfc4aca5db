// Opens the embedded SQLite adapter for the suites.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { OpenStore } from './samples.ts';

export const openSqlite: OpenStore = async (t, { cacheMaxBytes = 100_000_000, filesMaxBytes } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
  const store = await openSqliteStore({ dataDir, cacheMaxBytes, filesMaxBytes });
  t.after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  return store;
};
