// Several stores on one database, as several processes have them, and the rows of pages for a test that holds a transaction.
import type { TestContext } from 'node:test';
import { SHARED } from '../../../../../src/page/page-owner.ts';
import { createSealedRequests } from '../../../../../src/store/encoding/sealed-requests.ts';
import type { NewPage, PageToStore } from '../../../../../src/store/ports/pages/page-store.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import type { Base } from '../../../../../src/store/postgres/base.ts';
import { createBlobRows } from '../../../../../src/store/postgres/blob-rows.ts';
import { connect, type PostgresDatabase } from '../../../../../src/store/postgres/database/database.ts';
import { transactionOn } from '../../../../../src/store/postgres/database/queries.ts';
import { createPageParts, type SharedPageRows } from '../../../../../src/store/postgres/pages/page-parts.ts';
import { createTeamParts } from '../../../../../src/store/postgres/teams/team-parts.ts';
import type { Tx } from '../../../../../src/store/sql/database.ts';
import { createDatabase } from '../../../../conformance/open-postgres.ts';
import { DESKTOP, START, samplePage, sampleResult } from '../../../../conformance/samples.ts';

export interface Processes {
  a: Store;
  b: Store;
  /** What is behind the ports, in a third process. */
  base: Base;
  rows: SharedPageRows;
  database: PostgresDatabase;
  teamId: string;
}

export async function openProcesses(t: TestContext, options: { cacheMaxBytes?: number } = {}): Promise<Processes> {
  const shared = await createDatabase(t);
  const [a, b] = await Promise.all([shared.open(options), shared.open(options)]);
  const database = connect({ url: shared.url, connections: 4 });
  t.after(() => database.close());
  const secret = new Uint8Array(32);
  const base: Base = {
    ...{ database, blobs: createBlobRows(database), secret, sealed: createSealedRequests(() => secret) },
    limits: { cacheMaxBytes: 100_000_000, filesMaxBytes: 100_000_000 },
  };
  const { rows } = createPageParts(base, createTeamParts(base).ports);
  return { a, b, base, rows, database, teamId: (await a.teams.ensureTeam('default', START)).id };
}

/** Runs the work in a transaction that stays open until it is told to end. */
export async function holdTransaction(database: PostgresDatabase, work: (tx: Tx) => Promise<unknown>) {
  const [worked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = database.transaction(async (sql) => {
    await work(transactionOn(sql));
    worked.resolve();
    await goOn.promise;
  });
  await Promise.race([worked.promise, ended]);
  return {
    commit() {
      goOn.resolve();
      return ended;
    },
  };
}

/** Resolves when a query of another process waits for a lock. */
export async function somebodyWaits({ sql }: PostgresDatabase): Promise<void> {
  const isWaiting = () => sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await isWaiting()).length === 0);
}

/** A page that searches find. */
export function findablePage(url: string, text: string, more: Partial<NewPage> = {}): PageToStore {
  const fetched = { ...samplePage(text), finalUrl: url };
  const entry = new TextEncoder().encode(JSON.stringify({ text }));
  const page = { key: url, owner: SHARED, url, variant: DESKTOP, rank: 0, fetched, expiresAt: null, entry, ...more };
  return { page, result: sampleResult(text) };
}
