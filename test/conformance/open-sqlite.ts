// Opens the embedded SQLite adapter for the suites.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { startWithoutThread } from '../support/store-without-thread.ts';
import type { OpenStore } from './samples.ts';

type Start = Parameters<typeof openSqliteStore>[0]['start'];

const openWith =
  (start?: Start): OpenStore =>
  async (t, { cacheMaxBytes = 100_000_000, filesMaxBytes } = {}) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
    const store = await openSqliteStore({ dataDir, cacheMaxBytes, filesMaxBytes, start });
    t.after(async () => {
      await store.close();
      await rm(dataDir, { recursive: true });
    });
    return store;
  };

export const openSqlite = openWith(startWithoutThread);
/** As the service opens it. Takes twenty times as long. */
export const openSqliteInThread = openWith();
