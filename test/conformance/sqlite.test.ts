// The embedded adapter against the suites of its three ports.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { testPageStore } from './pages.ts';
import type { OpenStore } from './samples.ts';
import { testScrapeStore } from './scrapes.ts';
import { testTeamStore } from './teams.ts';

const open: OpenStore = async (t, { cacheMaxBytes = 100_000_000 } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
  const store = await openSqliteStore({ dataDir, cacheMaxBytes });
  t.after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  return store;
};

testTeamStore('sqlite', open);
testPageStore('sqlite', open);
testScrapeStore('sqlite', open);
