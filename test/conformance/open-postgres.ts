// Opens the Postgres adapter for the suites: one server for all test files of a process, and a database of its own for each store.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import postgres from 'postgres';
import { findPostgres, startPostgres } from '../../scripts/engines/postgres.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { connect } from '../../src/store/postgres/database/database.ts';
import { migrate } from '../../src/store/postgres/database/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { lazy } from '../../src/util/lazy.ts';
import { atWorkerEnd } from '../support/worker-end.ts';
import type { OpenStore } from './samples.ts';

/** A server with all rights: that of `npm run test:cluster`, or a developer's own. */
const { TRAWL_TEST_POSTGRES: GIVEN } = process.env;

/** Whether everything is to be tested on it. An ordinary run tests a small part (postgres.test.ts). */
export const hasPostgres = GIVEN !== undefined;
export const canStartPostgres = hasPostgres || findPostgres() !== undefined;

export const SECRET = new Uint8Array(32).fill(7);

/** A migrated database from which others are copied, which takes less time than to migrate each. */
const server = lazy(async () => {
  const running = GIVEN === undefined ? await startPostgres() : undefined;
  const url = GIVEN ?? running!.url;
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  const template = `trawl_${process.pid}_${performance.timeOrigin.toString(36).replace('.', '')}`;
  await admin.unsafe(`CREATE DATABASE ${template}`);
  const database = connect({ url: withName(url, template), connections: 1 });
  await migrate(database);
  await database.close();
  let copies = 0;
  atWorkerEnd(async () => {
    await admin.unsafe(`DROP DATABASE ${template} WITH (FORCE)`);
    await admin.end();
    await running?.stop();
  });
  return {
    async create(): Promise<string> {
      copies += 1;
      const name = `${template}_${copies}`;
      await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return withName(url, name);
    },
    drop: (url: string) => admin.unsafe(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
  };
});

function withName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

export interface SharedDatabase {
  url: string;
  /** Another process would open it so. */
  open(options?: Parameters<OpenStore>[1]): Promise<Store>;
}

/** An empty database for a whole test file. */
export async function openDatabase(): Promise<{ url: string; drop(): Promise<unknown> }> {
  const { create, drop } = await server();
  const url = await create();
  return { url, drop: () => drop(url) };
}

/** An empty database that several stores may share, as several processes do. */
export async function createDatabase(t: TestContext): Promise<SharedDatabase> {
  const { create, drop } = await server();
  const url = await create();
  const opened: Store[] = [];
  const folders: string[] = [];
  t.after(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
    await drop(url);
  });
  return {
    url,
    async open({ cacheMaxBytes = 100_000_000, filesMaxBytes } = {}) {
      const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
      folders.push(dataDir);
      const limits = { cacheMaxBytes, filesMaxBytes };
      const store = await openPostgresStore({ url, secret: SECRET, dataDir, ...limits, connections: 4 });
      opened.push(store);
      return store;
    },
  };
}

export const openPostgres: OpenStore = async (t, options) => (await createDatabase(t)).open(options);
