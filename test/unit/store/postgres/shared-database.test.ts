// Several versions and processes on one database: the same secret, the same clock, and a rolling upgrade.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openClock } from '../../../../src/compose/clock.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { StoreError } from '../../../../src/store/ports/store-error.ts';
import { connect } from '../../../../src/store/postgres/database/database.ts';
import { migrate, readMigrations } from '../../../../src/store/postgres/database/migrate.ts';
import { openPostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { createDatabase, hasPostgres, SECRET } from '../../../conformance/open-postgres.ts';
import { aProcess } from '../../../conformance/processes.ts';
import { START } from '../../../conformance/samples.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const newest = () => readMigrations().at(-1)!.version;

/** What the start of another version does. */
async function upgrade(url: string, worksFrom: number, sql: string): Promise<void> {
  const database = connect({ url, connections: 1 });
  await migrate(database, [...readMigrations(), { version: newest() + 1, worksFrom, sql }]);
  await database.close();
}

async function openWith(t: TestContext, url: string, secret: Uint8Array) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-store-'));
  t.after(() => rm(dataDir, { recursive: true }));
  return openPostgresStore({ url, secret, dataDir, cacheMaxBytes: 1_000_000, connections: 2 });
}

describe('a shared database', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('refuses a process that has another secret, and stores none', async (t) => {
    const database = await createDatabase(t);
    await database.open();
    await assert.rejects(openWith(t, database.url, new Uint8Array(32).fill(8)), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^TRAWL_SECRET is not the secret that this database was made with\. Set the same/);
      return true;
    });
    const admin = connect({ url: database.url, connections: 1 });
    const rows = await admin.sql`SELECT * FROM installation`;
    await admin.close();
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(Buffer.alloc(32, 7).toString('hex')));
  });

  test('gives each process a data folder of its own, and removes what a killed one has left there', async (t) => {
    const { url } = await createDatabase(t);
    const dataDir = temporaryFolder(t);
    const left = join(dataDir, 'incoming', 'half-received');
    await mkdir(join(dataDir, 'incoming'));
    await writeFile(left, 'half of a file');
    const open = (lock?: boolean) =>
      openPostgresStore({ url, secret: SECRET, dataDir, cacheMaxBytes: 1_000_000, connections: 2, lock });
    const store = await open();
    assert.equal(existsSync(left), false);
    await writeFile(left, 'half of a file that this process receives');
    await assert.rejects(open(), {
      message: `The data folder ${dataDir} is in use by process ${process.pid}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
    });
    const beside = await open(false);
    assert.equal(existsSync(left), true);
    await Promise.all([store.close(), beside.close()]);
    await (await open()).close();
  });

  test('processes that start at the same time agree on one secret', async (t) => {
    const { url } = await createDatabase(t);
    const results = await Promise.allSettled(
      [1, 2, 1, 2].map((byte) => openWith(t, url, new Uint8Array(32).fill(byte))),
    );
    for (const result of results) if (result.status === 'fulfilled') await result.value.close();
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    assert.equal(results[0]!.status, results[2]!.status);
  });

  test('goes on working for this version when a newer one has added to the schema', async (t) => {
    const database = await createDatabase(t);
    const running = await database.open();
    await upgrade(
      database.url,
      newest(),
      'ALTER TABLE processes ADD COLUMN region text NOT NULL DEFAULT $$near$$; CREATE TABLE plans_of_tomorrow (id int)',
    );
    const late = await database.open();
    for (const [store, id] of [
      [running, 'a'],
      [late, 'b'],
    ] as const) {
      assert.equal(await store.processes.renew(aProcess(id), START), true);
    }
    assert.deepEqual(
      (await running.processes.list(START)).map(({ id }) => id),
      ['a', 'b'],
    );
  });

  test('refuses this version when a newer one has changed the schema', async (t) => {
    const database = await createDatabase(t);
    await upgrade(database.url, newest() + 1, 'ALTER TABLE processes RENAME TO members');
    await assert.rejects(database.open(), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^The database belongs to a newer version of Trawl .* Update Trawl/);
      return true;
    });
  });

  test('from before the first migration is refused and left alone, with the commit that upgrades it', async (t) => {
    const database = await createDatabase(t);
    const admin = connect({ url: database.url, connections: 1 });
    t.after(() => admin.close());
    const base = readMigrations()[0]!.version;
    await admin.sql`DELETE FROM schema_versions WHERE version > ${base}`;
    await admin.sql`UPDATE schema_versions SET version = ${base - 1}`;
    await assert.rejects(database.open(), (error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(
        error.message,
        `The database has schema ${base - 1}, and this version of Trawl upgrades from schema ${base} on. Start commit f6905ffc of Trawl on it once, which upgrades it to schema ${base}.`,
      );
      return true;
    });
    const rows = await admin.sql<{ version: number }[]>`SELECT version FROM schema_versions`;
    assert.ok(rows.every(({ version }) => version < newest()));
  });

  test('gives its time to all processes, whatever their machines say', async (t) => {
    const store = await (await createDatabase(t)).open();
    const HOUR = 3_600_000;
    const before = (await store.processes.time())!;
    const clocks = await Promise.all(
      [-HOUR, HOUR].map((off) => {
        const sources = { wall: () => Date.now() + off, ticks: () => performance.now(), uptime: () => undefined };
        return openClock(store, sources, createLog('silent'));
      }),
    );
    const [early, late] = clocks.map((clock) => clock.now()) as [number, number];
    const after = (await store.processes.time())!;
    // A look may be off by half of the time that it took.
    const most = after - before + 1_000;
    assert.ok(Math.abs(early - late) <= most, `${early} and ${late}`);
    assert.ok(early >= before - most && early <= after + most);
    await clocks[0]!.keep();
  });
});
