// The ledger of a data folder: entries never change, the totals are their sum, and old entries go.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createConnection } from '../../../../src/runtime/sqlite/sqlite.ts';
import { createLedger } from '../../../../src/store/sql/teams/ledger.ts';
import { createSqliteDatabase } from '../../../../src/store/sqlite/database/database.ts';
import { openDatabase } from '../../../../src/store/sqlite/database/open-database.ts';
import { createCharges } from '../../../../src/store/sqlite/teams/charges.ts';
import { DAY, HOUR, START, sampleCharge } from '../../../conformance/samples.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function openLedger(t: TestContext) {
  const database = openDatabase(join(temporaryFolder(t), 'store.db'));
  const connection = createConnection(database);
  t.after(connection.close);
  database.exec("INSERT INTO teams (id, name, created_at) VALUES ('team', 'default', 0)");
  const entries = () =>
    database
      .prepare('SELECT id, at, team_id, key, operation, job, credits, tokens FROM ledger ORDER BY id')
      .all()
      .map((row) => ({ ...row }));
  const ledger = createLedger(createSqliteDatabase(connection), createCharges());
  const totals = () => ledger.usage('team', { from: 0, until: START + 1000 * DAY, binMs: HOUR });
  const removeExpired = async (now: number, limit: number) => {
    let removed = 0;
    for (const remove of ledger.removers) removed += await remove(now, limit);
    return removed;
  };
  return { ledger, entries, totals, removeExpired };
}

test('each billed event is one entry with team, key, operation, job, credits, tokens and time', async (t) => {
  const { ledger, entries, totals } = openLedger(t);
  await ledger.add(sampleCharge('team', { key: 'fc-1', job: 'job-1', tokens: 9 }));
  await ledger.add(sampleCharge('team', { key: 'fc-1', job: 'job-1', credits: 2, now: START + 1 }));
  await ledger.add(sampleCharge('team', { operation: 'map', now: START + 2 }));
  await ledger.add(sampleCharge('team', { credits: 0, request: { id: 'free', isRatable: true } }));
  const entry = {
    id: 1,
    at: START,
    team_id: 'team',
    key: 'fc-1',
    operation: 'scrape',
    job: 'job-1',
    credits: 1,
    tokens: 9,
  };
  assert.deepEqual(entries(), [
    entry,
    { ...entry, id: 2, at: START + 1, credits: 2, tokens: 0 },
    { ...entry, id: 3, at: START + 2, key: null, operation: 'map', job: null, tokens: 0 },
  ]);
  assert.deepEqual(
    (await totals()).map(({ key, credits, tokens }) => [key, credits, tokens]),
    [
      [null, 1, 0],
      ['fc-1', 3, 9],
    ],
  );
});

test('entries go after a week, at most so many at a time, and the totals stay', async (t) => {
  const { ledger, entries, totals, removeExpired } = openLedger(t);
  for (let n = 0; n < 5; n++) await ledger.add(sampleCharge('team', { now: START + n }));
  assert.equal(await removeExpired(START + 7 * DAY - 1, 100), 0);
  assert.equal(await removeExpired(START + 7 * DAY + 2, 2), 2);
  assert.equal(await removeExpired(START + 7 * DAY + 2, 2), 1);
  assert.equal(await removeExpired(START + 7 * DAY + 2, 2), 0);
  assert.deepEqual(
    entries().map(({ id }) => id),
    [4, 5],
  );
  assert.equal((await totals())[0]?.credits, 5);
});
